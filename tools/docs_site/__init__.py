"""The documentation site: pages are staged, built strictly and checked (``python tools/docs_site``)."""
