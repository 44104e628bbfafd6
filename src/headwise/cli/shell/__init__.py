"""Commands from functions: what a shell hands over becomes the arguments that a function asks for.

A command is a function whose parameters say how they are given, with an ``Option`` or an ``Argument`` in the
annotation of each; its docstring is its help. This is the part of Typer that Headwise uses. Typer itself
imports Pydantic before it reads a call, which takes longer than a parse.
"""

from headwise.cli.shell.app import App, Command
from headwise.cli.shell.errors import BadParameter, Exit, UsageError
from headwise.cli.shell.parameters import Argument, Context, Option

__all__ = ["App", "Argument", "BadParameter", "Command", "Context", "Exit", "Option", "UsageError"]
