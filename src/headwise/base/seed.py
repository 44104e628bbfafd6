"""The seed where nobody gives one."""

DEFAULT_SEED = 1
