"""An external recommender for INCEpTION (extra ``inception``): ``headwise inception`` (docs/inception.md).

INCEpTION sends a document as a CAS, the data structure of UIMA, and asks for suggestions of one layer.
Nothing else in Headwise imports dkpro-cassis, which reads and writes it.
"""

try:
    import cassis as _cassis  # noqa: F401
except ImportError as error:
    raise ImportError("headwise.web.inception needs dkpro-cassis: pip install headwise[inception]") from error
