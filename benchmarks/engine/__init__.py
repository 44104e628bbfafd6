"""Tasks that are run in processes of their own, results that are kept, and the pages made of them."""

from benchmarks.engine.code import BUNDLED, CONFIDENCE, NETWORK, PARSING, PHRASES, PYTORCH, TEXT, TREES, WORDS
from benchmarks.engine.markdown import Row, both, shown
from benchmarks.engine.plots import Line, Plot
from benchmarks.engine.studies import FULL, QUICK, Found, NotMeasuredError, Scale, Study
from benchmarks.engine.tasks import Result, Task

__all__ = ["BUNDLED", "CONFIDENCE", "FULL", "NETWORK", "PARSING", "PHRASES", "PYTORCH", "QUICK", "TEXT"]
__all__ += ["TREES", "WORDS", "Found", "Line", "NotMeasuredError", "Plot", "Result", "Row", "Scale"]
__all__ += ["Study", "Task", "both", "shown"]
