"""The laboratory: every figure that Headwise publishes is a kept result of a task here (docs/benchmarks.md)."""
