"""The papers, in the order of the page."""

from __future__ import annotations

from benchmarks.papers.carreras_2007 import PAPER as CARRERAS_2007
from benchmarks.papers.koo_2010 import PAPER as KOO_2010
from benchmarks.papers.lecture_2007 import PAPER as LECTURE_2007
from benchmarks.papers.lei_2014 import PAPER as LEI_2014
from benchmarks.papers.page import Paper
from benchmarks.papers.rush_2010 import PAPER as RUSH_2010
from benchmarks.papers.smith_smith_2007 import PAPER as SMITH_SMITH_2007
from benchmarks.papers.thesis_3 import PAPER as THESIS_3
from benchmarks.papers.thesis_4 import PAPER as THESIS_4
from benchmarks.papers.thesis_5 import PAPER as THESIS_5
from benchmarks.papers.zhang_greedy_2014 import PAPER as ZHANG_GREEDY_2014
from benchmarks.papers.zhang_sampling_2014 import PAPER as ZHANG_SAMPLING_2014

PAPERS: tuple[Paper, ...] = (
    THESIS_3,
    THESIS_4,
    THESIS_5,
    LECTURE_2007,
    CARRERAS_2007,
    SMITH_SMITH_2007,
    KOO_2010,
    RUSH_2010,
    ZHANG_SAMPLING_2014,
    ZHANG_GREEDY_2014,
    LEI_2014,
)
