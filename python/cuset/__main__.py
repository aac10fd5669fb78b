"""python -m cuset: the program `cuset`, where it is installed."""
from __future__ import annotations

import os
import sys

from cuset.program import find_program


def main() -> None:
    try:
        program = find_program()
    except FileNotFoundError as error:
        sys.exit(f"python -m cuset: {error}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
