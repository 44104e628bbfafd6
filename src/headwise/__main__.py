"""``python -m headwise``: the command, also where its script is not on the path."""

from headwise.cli import main

main()
