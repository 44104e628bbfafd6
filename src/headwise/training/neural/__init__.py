"""Networks in PyTorch: the native network trained on a GPU or a CPU, and encoders of Hugging Face.

A network that was trained here is written into the ordinary model file, and runs without PyTorch. This room
is imported only where somebody asks for PyTorch (``headwise train --torch``).
"""

from headwise.base.errors import HeadwiseError

try:
    import torch as _torch  # noqa: F401
except ImportError as error:
    raise HeadwiseError(
        "this needs PyTorch, which is not installed: pip install headwise[torch]. "
        "headwise train --network trains a network without it."
    ) from error
