"""A process that is told another time of the day (`wrong_clock.c`; a C compiler is needed)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_suffix(".c")


def has_compiler() -> bool:
    return shutil.which("cc") is not None


def environment(folder: Path, clock: Path) -> dict[str, str]:
    """The environment of a process whose clock is wrong by the seconds that the file `clock`
    holds; the library is made in `folder`.
    """
    library = folder / "wrong_clock.so"
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl", "-lpthread"],
        check=True,
    )
    return {"LD_PRELOAD": str(library), "WRONG_CLOCK": str(clock)}
