"""A low-rank tensor that scores arcs beside features."""
