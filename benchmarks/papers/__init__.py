"""The papers that Headwise stands on, on open data: one file a paper, and what they have in common.

A paper lists tasks, and makes tables, plots and judged claims of their results
(:mod:`benchmarks.papers.page`); :mod:`benchmarks.papers.to_the_letter` says how near to each we are.
"""
