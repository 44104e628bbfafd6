"""A server (extra ``serve``): UDPipe's REST interface, one of our own with probabilities, a page to play on.

A request becomes a ``Job``: sentences to be read, and what is to be done with them. The ``Engine`` takes jobs
in turn, a slice of each, and gives slices of the same kind to the core together, which releases the
interpreter while it works. So a long text does not keep short ones waiting, and a thousand short ones cost
few calls.
"""
