"""Finds the program `cuset`, which does the work behind this package."""
from __future__ import annotations

import os
import shutil
import sys


def find_program(program: str | None = None) -> str:
    """The path of `program`, of $CUSET_PROGRAM, or of `cuset` on PATH or beside this Python, the first that is given."""
    wanted = program or os.environ.get("CUSET_PROGRAM") or "cuset"
    found = shutil.which(wanted) or shutil.which(wanted, path=os.path.dirname(sys.executable))
    if found is None:
        raise FileNotFoundError(f"{wanted} is not a program: install cuset (its wheel, or make install), or name it by "
                                "program=PATH or the variable CUSET_PROGRAM")
    return found
