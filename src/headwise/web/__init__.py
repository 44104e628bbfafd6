"""Local web applications (extra ``serve``): what the server and the annotator's page have in common.

``app`` puts routes behind guards, ``listening`` finds a port and runs until asked to stop, ``static`` holds
the look and the scripts that pages share. Nothing is fetched from elsewhere, so everything works offline.
"""
