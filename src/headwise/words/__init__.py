"""What raw text says of words: clusters of those that keep the same company, and vectors."""
