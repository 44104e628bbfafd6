"""What every room stands on: errors, messages, files that are written whole or not at all, late imports."""
