"""The laboratory: what Headwise publishes is kept results of its tasks (docs/benchmarks.md)."""
