"""What all rooms stand on."""

from typing import Any

limits: dict[str, Any] = ...
