"""Families of features of whole trees, by name (docs/whole-tree.md describes each)."""

from __future__ import annotations

FAMILIES = (
    "span_length",
    "neighbours",
    "valency",
    "crossing",
    "coordination",
    "attachment",
    "branching",
)
"""Families that are written in C++, one file each."""

KIN = {
    "any_sibling": "any_sibling",
    "great_grandparent": "great_grandparent",
    "inner_sibling_grandchild": "sibling_grandchild",
    "outer_sibling_grandchild": "sibling_grandchild",
    "head_bigram": "head_bigram",
}
"""Families of small parts, in the order of the core, and the template table of each."""

ALL = (*FAMILIES, *KIN)
