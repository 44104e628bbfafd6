"""Inference over dependency trees."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

def decode_projective(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    single_root: bool,
) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float]: ...
def decode_nonprojective(
    scores: Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)
    ],
    single_root: bool,
) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], float]: ...
