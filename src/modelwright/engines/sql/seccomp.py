"""Seccomp: the kernel refuses the system calls that a query never needs.

The filter is classic BPF (https://docs.kernel.org/userspace-api/seccomp_filter.html) over the
numbers in `syscalls.json`; other architectures go without.
"""

import ctypes
import errno
import json
import os
import struct
from functools import cache
from importlib.resources import files
from typing import Any

SET_MODE_FILTER = 1
TSYNC = 1
SECCOMP = {"x86_64": 317, "aarch64": 277}
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
X32 = 0x40000000
CLONE_THREAD = 0x00010000
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

Program = list[tuple[int, int, int, int]]


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def restrict() -> bool:
    """Filter this thread's system calls and those of the threads it starts.

    Answers False on an architecture without a table or a kernel without seccomp. Needs
    no_new_privs.
    """
    machine = os.uname().machine
    if machine not in SECCOMP:
        return False
    instructions = program(tables()[machine])
    packed = b"".join(struct.pack("HBBI", *one) for one in instructions)
    bpf = _Filter(len(instructions), packed)
    call = ctypes.CDLL(None, use_errno=True).syscall
    return bool(call(SECCOMP[machine], SET_MODE_FILTER, TSYNC, ctypes.byref(bpf)) == 0)


@cache
def tables() -> dict[str, Any]:
    """The system calls by architecture; read before the files are out of reach."""
    text = files(__package__).joinpath("syscalls.json").read_text("ascii")
    found: dict[str, Any] = json.loads(text)
    return found


def program(table: dict[str, Any]) -> Program:
    """The filter for one architecture's table: (code, jump if true, jump if false, operand)."""
    absent = list(table["absent"].values())
    refused = list(table["refused"].values())
    return [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, table["audit"]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, X32),
        (RETURN, 0, 0, KILL),
        *(part for number in absent for part in _answer(number, errno.ENOSYS)),
        *(part for number in refused for part in _answer(number, errno.EPERM)),
        *_unless(table["clone"], 0, (ANY_BIT, 1, 0, CLONE_THREAD)),
        *_unless(table["prlimit64"], 0, (EQUAL, 1, 0, 0)),
        *(
            part
            for number, place in table["opening"]
            for part in _unless(number, place, (ANY_BIT, 0, 1, WRITING))
        ),
        (RETURN, 0, 0, ALLOW),
    ]


def _answer(number: int, error: int) -> Program:
    return [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE | error)]


def _unless(number: int, argument: int, test: tuple[int, int, int, int]) -> Program:
    """Refuse call `number` unless `test` on the low half of its argument jumps over the answer."""
    return [
        (EQUAL, 0, 4, number),
        (LOAD, 0, 0, ARGUMENTS + 8 * argument),
        test,
        (RETURN, 0, 0, REFUSE | errno.EPERM),
        (LOAD, 0, 0, NUMBER),
    ]
