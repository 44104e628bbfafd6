"""The papers that Headwise stands on, on open data: one file a paper, and what they have in common.

A paper lists tasks (:mod:`papers.tasks`), each a training or a measurement whose result is kept, and makes
tables, plots and judged claims of their results (:mod:`papers.page`).
"""
