"""
The native core of Headwise. Use the headwise package, not this module.
"""

from headwise._native import base as base
from headwise._native import clusters as clusters
from headwise._native import constituency as constituency
from headwise._native import dual as dual
from headwise._native import learning as learning
from headwise._native import local_search as local_search
from headwise._native import parsing as parsing
from headwise._native import patterns as patterns
from headwise._native import scoring as scoring
from headwise._native import tagging as tagging
from headwise._native import text as text
from headwise._native import treebank as treebank
from headwise._native import trees as trees
