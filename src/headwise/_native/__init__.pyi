"""The native core of Headwise. Use the headwise package, not this module."""

from . import constituency as constituency
from . import dual as dual
from . import local_search as local_search
from . import parsing as parsing
from . import tagging as tagging
from . import text as text
from . import treebank as treebank
from . import trees as trees
