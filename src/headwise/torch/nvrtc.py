"""CUDA source to machine code, by the compiler that PyTorch brings along (NVRTC), and kernels launched by
the driver.

No compiler or toolkit is needed on the user's machine. A kernel is compiled for the GPU at hand when it is
first asked for, within a second, and kept for the life of the process.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import torch

SOURCES = Path(__file__).parent / "kernels"
_MAX_THREADS, _MAX_DYNAMIC_SHARED = 0, 8  # CU_FUNC_ATTRIBUTE_…
_INVALID_CONTEXT = 201  # CUDA_ERROR_…
_SHARED_OPTIN = 97  # CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN


class _Attribute(ctypes.Structure):
    """CUlaunchAttribute: a launch may begin before the one before it has ended."""

    _fields_ = (("id", ctypes.c_int), ("padding", ctypes.c_int), ("value", ctypes.c_int * 16))


class Prepared(ctypes.Structure):
    """A launch: CUlaunchConfig."""

    _fields_ = (
        ("blocks", ctypes.c_uint * 3),
        ("threads", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("attributes", ctypes.POINTER(_Attribute)),
        ("attribute_count", ctypes.c_uint),
    )


_OVERLAPPING = _Attribute(6, 0, (1,))  # CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION


class Kernel:
    """One kernel, loaded on one device. `threads` is how many a block may have at most."""

    def __init__(self, machine_code: bytes, device: int, can_overlap: bool) -> None:
        self._device = device
        _make_current(device)
        module, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        _check(_driver().cuModuleLoadData(ctypes.byref(module), machine_code))
        _check(_driver().cuModuleGetFunction(ctypes.byref(self._function), module, b"kernel"))
        _check(_driver().cuFuncSetAttribute(self._function, _MAX_DYNAMIC_SHARED, shared_memory(device)))
        threads = ctypes.c_int()
        _check(_driver().cuFuncGetAttribute(ctypes.byref(threads), _MAX_THREADS, self._function))
        self.threads = threads.value
        self._launch = _driver().cuLaunchKernelEx
        self._can_overlap = can_overlap

    def prepare(self, blocks: int, threads: int, shared: int, *, overlaps: bool) -> Prepared:
        """What a launch needs, to be used again and again.

        With `overlaps`, it may begin before the one before it in the stream has ended.
        """
        launch = Prepared((blocks, 1, 1), (threads, 1, 1), shared)
        if overlaps and self._can_overlap:
            launch.attributes, launch.attribute_count = ctypes.pointer(_OVERLAPPING), 1
        return launch

    def launch(self, prepared: Prepared, stream: int, arguments: ctypes.Structure) -> None:
        launch = Prepared.from_buffer_copy(prepared)  # other threads may be using it on other streams
        launch.stream = stream
        pointer = (ctypes.c_void_p * 1)(ctypes.addressof(arguments))
        status = self._launch(ctypes.byref(launch), self._function, pointer, None)
        if status == _INVALID_CONTEXT:  # of a thread of autograd that has done nothing on the device yet
            _make_current(self._device)
            status = self._launch(ctypes.byref(launch), self._function, pointer, None)
        if status:
            _check(status)


@cache
def kernel(device: int, entry: str, registers: int | None = None, **definitions: str) -> Kernel:
    """The kernel of a file of kernels/ with these macros defined, on a device.

    With `registers`, a thread has no more of them.
    """
    capability = torch.cuda.get_device_capability(device)
    code = _machine_code(capability, entry, registers, tuple(sorted(definitions.items())))
    with torch.cuda.device(device):
        return Kernel(code, device, can_overlap=capability >= (9, 0))


@cache
def shared_memory(device: int) -> int:
    """Bytes that a block may have at most."""
    bytes_ = ctypes.c_int()
    _check(_driver().cuDeviceGetAttribute(ctypes.byref(bytes_), _SHARED_OPTIN, _handle(device)))
    return bytes_.value


def _make_current(device: int) -> None:
    """The device's context, which PyTorch uses too, becomes that of this thread."""
    _check(_driver().cuCtxSetCurrent(_context(device)))


@cache
def _context(device: int) -> ctypes.c_void_p:
    context = ctypes.c_void_p()
    _check(_driver().cuDevicePrimaryCtxRetain(ctypes.byref(context), _handle(device)))
    return context


@cache
def _handle(device: int) -> ctypes.c_int:
    handle = ctypes.c_int()
    _check(_driver().cuDeviceGet(ctypes.byref(handle), device))
    return handle


@cache
def _machine_code(
    capability: tuple[int, int],
    entry: str,
    registers: int | None,
    definitions: tuple[tuple[str, str], ...],
) -> bytes:
    return compile_source(
        f'#include "{entry}"\n',
        [
            f"--gpu-architecture=sm_{capability[0]}{capability[1]}",
            *([] if registers is None else [f"--maxrregcount={registers}"]),
            *(f"--define-macro={name}={value}" for name, value in definitions),
        ],
    )


def compile_source(source: str, options: list[str]) -> bytes:
    """Machine code of a source that may include the files of `kernels`."""
    nvrtc = _nvrtc()
    program = ctypes.c_void_p()
    every = [*options, f"--include-path={SOURCES}", "--std=c++17", "--ftz=true"]
    flags = (ctypes.c_char_p * len(every))(*(option.encode() for option in every))
    created = nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"headwise.cu", 0, None, None)
    _check_compiler(nvrtc, created)
    try:
        if nvrtc.nvrtcCompileProgram(program, len(every), flags):
            raise RuntimeError(f"NVRTC could not compile a kernel of headwise.torch:\n{_log(nvrtc, program)}")
        size = ctypes.c_size_t()
        _check_compiler(nvrtc, nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)))
        code = ctypes.create_string_buffer(size.value)
        _check_compiler(nvrtc, nvrtc.nvrtcGetCUBIN(program, code))
        return code.raw
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _log(nvrtc: Any, program: ctypes.c_void_p) -> str:
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, text)
    return text.value.decode(errors="replace")


@cache
def _driver() -> Any:
    return ctypes.CDLL("libcuda.so.1")


@cache
def _nvrtc() -> Any:
    """NVRTC of the version that PyTorch was built with: as loaded already, or from its package."""
    if torch.version.cuda is None:
        raise RuntimeError("this PyTorch was built without CUDA")
    name = f"libnvrtc.so.{torch.version.cuda.split('.')[0]}"
    packages = Path(torch.__file__).parent.parent
    found = [*packages.glob(f"nvidia/*/lib/{name}"), *(packages / "torch/lib").glob("libnvrtc*.so*")]
    for place in (name, *map(str, found), "libnvrtc.so"):
        try:
            return ctypes.CDLL(place)
        except OSError:
            continue
    raise RuntimeError(f"{name} was not found, neither by the loader nor beside PyTorch in {packages}")


def _check_compiler(nvrtc: Any, status: int) -> None:
    if status:
        nvrtc.nvrtcGetErrorString.restype = ctypes.c_char_p
        raise RuntimeError(f"NVRTC: {nvrtc.nvrtcGetErrorString(status).decode()}")


def _check(status: int) -> None:
    if status:
        text = ctypes.c_char_p()
        _driver().cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"CUDA driver: {(text.value or b'unknown error').decode()} ({status})")
