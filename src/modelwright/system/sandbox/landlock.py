"""Landlock: the kernel refuses every file that is not named, and every port.

See https://docs.kernel.org/userspace-api/landlock.html; the system calls have the same numbers on
all architectures.
"""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path
from stat import S_ISDIR

CREATE_RULESET = 444
"""Number of the system call, the same on all machines."""
ADD_RULE = 445
"""Number of the system call."""
RESTRICT_SELF = 446
"""Number of the system call."""
VERSION_FLAG = 1
"""Asks for the version that the kernel knows, in place of a ruleset."""
PATH_BENEATH = 1
"""Type of a rule for a folder or file."""
NET_PORT = 2
"""Type of a rule for a port."""
WRITE_FILE = 1 << 1
"""Right to open a file for writing."""
READ_FILE = 1 << 2
"""Right to open a file for reading."""
READ_FOLDER = 1 << 3
"""Right to list a folder."""
REMOVE_FOLDER = 1 << 4
"""Right to remove a folder."""
REMOVE_FILE = 1 << 5
"""Right to remove a file."""
MAKE_FOLDER = 1 << 7
"""Right to make a folder."""
MAKE_FILE = 1 << 8
"""Right to make a file."""
REFER = 1 << 13
"""Right to move a file between folders, known from version 2 on."""
TRUNCATE = 1 << 14
"""Right to cut a file, known from version 3 on."""
FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""How many rights over files each version of the interface knows."""
READ_RIGHTS = READ_FILE | READ_FOLDER
OWN_RIGHTS = (
    READ_RIGHTS | WRITE_FILE | TRUNCATE | REFER
    | REMOVE_FOLDER | REMOVE_FILE | MAKE_FOLDER | MAKE_FILE
)  # fmt: skip
"""In a folder of its own a process makes plain files and folders: no links, pipes or sockets, which
would lead those astray who come for what it made."""
RIGHTS_OVER_FILES = WRITE_FILE | READ_FILE | TRUNCATE
"""Those that can be given over a file; the others are over what is in a folder."""
NET_SINCE = 4
"""The version from which on ports can be ruled."""
NET_RIGHTS = 0b11
"""Both rights over ports: to bind and to connect."""
CONNECT_TCP = 0b10
"""The right to connect to a port."""
SCOPE_SINCE = 6
"""The version from which on signals and abstract sockets can be ruled."""
SCOPES = 0b11
"""Both scopes: abstract sockets and signals."""


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


class _NetPort(ctypes.Structure):
    _fields_ = (("allowed", ctypes.c_uint64), ("port", ctypes.c_uint64))


def version() -> int:
    """Returns the version of the kernel's interface; less than 1 where it has no Landlock."""
    call = ctypes.CDLL(None, use_errno=True).syscall
    return int(call(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG))


def restrict(
    readable: Iterable[Path], writable: Iterable[Path] = (), ports: Iterable[int] = ()
) -> bool:
    """Leaves this thread and those it starts only some files and ports.

    What is readable, and what is in a readable folder, may be read; what is in a writable folder
    may be changed too; TCP may be connected to the ports. Returns False where the kernel has no
    Landlock. Needs no_new_privs.
    """
    known = version()
    if known < 1:
        return False
    call = ctypes.CDLL(None, use_errno=True).syscall
    rules = _Ruleset(
        files=(1 << FILE_RIGHTS[min(known, max(FILE_RIGHTS))]) - 1,
        net=NET_RIGHTS if known >= NET_SINCE else 0,
        scopes=SCOPES if known >= SCOPE_SINCE else 0,
    )
    size = 24 if known >= SCOPE_SINCE else 16 if known >= NET_SINCE else 8
    ruleset = call(CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    try:
        for path in readable:
            _allow_path(call, ruleset, path, READ_RIGHTS & rules.files)
        for path in writable:
            _allow_path(call, ruleset, path, OWN_RIGHTS & rules.files)
        for port in ports if rules.net else ():
            _add(call, ruleset, NET_PORT, _NetPort(allowed=CONNECT_TCP, port=port))
        return bool(ruleset >= 0 and call(RESTRICT_SELF, ruleset, 0) == 0)
    finally:
        os.close(ruleset)


def _allow_path(call: "ctypes._NamedFuncPointer", ruleset: int, path: Path, rights: int) -> None:
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not S_ISDIR(os.fstat(handle).st_mode):
            rights &= RIGHTS_OVER_FILES
        _add(call, ruleset, PATH_BENEATH, _PathBeneath(allowed=rights, parent=handle))
    finally:
        os.close(handle)


def _add(call: "ctypes._NamedFuncPointer", ruleset: int, kind: int, rule: ctypes.Structure) -> None:
    if call(ADD_RULE, ruleset, kind, ctypes.byref(rule), 0):
        raise OSError(ctypes.get_errno(), "landlock_add_rule")
