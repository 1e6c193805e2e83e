"""Landlock: the kernel refuses every file that is not named, and the network.

See https://docs.kernel.org/userspace-api/landlock.html; the system calls have the same numbers on
all architectures.
"""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG, PATH_BENEATH = 1, 1
READ_FILE = 1 << 2
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights over files each version of the interface knows."""
NET_SINCE, NET_RIGHTS = 4, 0b11
SCOPE_SINCE, SCOPES = 6, 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def restrict(readable: Iterable[Path]) -> bool:
    """Leave this thread and those it starts only the reading of `readable`.

    Answers False where the kernel has no Landlock. Needs no_new_privs.
    """
    call = ctypes.CDLL(None, use_errno=True).syscall
    version = call(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG)
    if version < 1:
        return False
    rules = _Ruleset(
        files=(1 << FILE_RIGHTS[min(version, max(FILE_RIGHTS))]) - 1,
        net=NET_RIGHTS if version >= NET_SINCE else 0,
        scopes=SCOPES if version >= SCOPE_SINCE else 0,
    )
    size = 24 if version >= SCOPE_SINCE else 16 if version >= NET_SINCE else 8
    ruleset = call(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    try:
        for path in readable:
            _allow(call, ruleset, path)
        return bool(ruleset >= 0 and call(RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow(call: "ctypes._NamedFuncPointer", ruleset: int, path: Path) -> None:
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _PathBeneath(allowed=READ_FILE, parent=handle)
        if call(ADD_RULE, ruleset, PATH_BENEATH, ctypes.byref(rule), 0):
            raise OSError(ctypes.get_errno(), "landlock_add_rule", str(path))
    finally:
        os.close(handle)
