"""Exact counts of any size from counts modulo primes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import count as count_up


def exact_count(count_modulo: Callable[[int], int], log_bound: float) -> int:
    """The number below exp(log_bound) whose remainders count_modulo(prime) gives (Chinese remainders)."""
    total, modulus = 0, 1
    for prime in primes():
        total += modulus * ((count_modulo(prime) - total) * pow(modulus, -1, prime) % prime)
        modulus *= prime
        if math.log(modulus) > log_bound:
            return total
    raise AssertionError("there are infinitely many primes")


def primes() -> Iterator[int]:
    """Primes below 2⁶², from the largest on."""
    return (2**62 - k for k in count_up(1, 2) if is_prime(2**62 - k))


def is_prime(number: int) -> bool:
    """Miller and Rabin's test with the bases that decide it for all numbers below 3.3·10²⁴."""
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
    if number < 2 or any(number % base == 0 for base in bases):
        return number in bases
    twos = (number - 1 & 1 - number).bit_length() - 1
    odd = number - 1 >> twos
    return all(_passes(number, base, odd, twos) for base in bases)


def _passes(number: int, base: int, odd: int, twos: int) -> bool:
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False
