"""Seccomp: the kernel refuses the system calls that a sandboxed process never needs.

The filter is classic BPF (https://docs.kernel.org/userspace-api/seccomp_filter.html) over the
numbers in `syscalls.json`; other architectures go without.
"""

import ctypes
import errno
import json
import os
import socket
import struct
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

SET_MODE_FILTER = 1
"""Operation of seccomp: takes a filter."""
GET_ACTION_AVAILABLE = 2
"""Operation of seccomp: tells whether an action is known."""
TSYNC = 1
"""Flag of seccomp: the filter holds for all threads."""
SECCOMP = {"x86_64": 317, "aarch64": 277}
"""The number of the system call `seccomp`."""
LOAD = 0x20
"""Instruction of BPF: loads a word of the call."""
AND = 0x54
"""Instruction of BPF: keeps some bits of it."""
EQUAL = 0x15
"""Instruction of BPF: jumps where it is equal."""
AT_LEAST = 0x35
"""Instruction of BPF: jumps where it is as large."""
RETURN = 0x06
"""Instruction of BPF: ends with an action."""
ALLOW = 0x7FFF0000
"""Action: the call goes on."""
REFUSE = 0x00050000
"""Action: the call fails with the error in the lower bits."""
KILL = 0x80000000
"""Action: the process ends."""
NUMBER = 0
"""Where the number of the call stands, in bytes."""
ARCHITECTURE = 4
"""Where the machine stands, in bytes."""
ARGUMENTS = 16
"""Where the arguments begin, in bytes; each has 8."""
X32 = 0x40000000
"""Bit of the numbers of the x32 calls, which the list does not know."""
ALL_BITS = 0xFFFFFFFF
"""All bits of a word: nothing is cut off before it is compared."""
CLONE_THREAD = 0x00010000
"""Flag of clone: the new task is a thread."""
CLONE_NAMESPACES = 0x7E020080
"""The flags of `clone` that make a namespace; a new user namespace needs no rights at all."""
SOCKET_TYPE_BITS = 0xF
"""Bits of a socket's type; flags stand above them."""
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
FILE_CHANGES = frozenset(
    ("unlink", "unlinkat", "rename", "renameat", "renameat2", "rmdir", "mkdir", "mkdirat")
) | {"creat", "ftruncate"}
"""The calls that change files and folders; where one may, Landlock says."""

Program = list[tuple[int, int, int, int]]


@dataclass(frozen=True, slots=True)
class Permits:
    """What a filter lets through beyond reading open files and computing with threads."""

    changes_files: bool = False
    """Opening files for writing, making and removing files and folders."""
    connects: bool = False
    """Connecting to others over IP; never waiting for them to connect."""


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def is_available() -> bool:
    """Returns whether this kernel filters system calls, and their numbers are known."""
    machine = os.uname().machine
    if machine not in SECCOMP:
        return False
    action = ctypes.c_uint32(REFUSE)
    call = ctypes.CDLL(None, use_errno=True).syscall
    return bool(call(SECCOMP[machine], GET_ACTION_AVAILABLE, 0, ctypes.byref(action)) == 0)


def restrict(permits: Permits) -> bool:
    """Filters the system calls of all threads of this process and of those they start.

    Returns False on an architecture without a table or a kernel without seccomp. Needs
    no_new_privs.
    """
    machine = os.uname().machine
    if machine not in SECCOMP:
        return False
    instructions = program(tables()[machine], permits, os.getpid())
    packed = b"".join(struct.pack("HBBI", *one) for one in instructions)
    bpf = _Filter(len(instructions), packed)
    call = ctypes.CDLL(None, use_errno=True).syscall
    return bool(call(SECCOMP[machine], SET_MODE_FILTER, TSYNC, ctypes.byref(bpf)) == 0)


@cache
def tables() -> dict[str, Any]:
    """Returns the system calls by architecture; read before the files are out of reach."""
    text = files(__package__).joinpath("syscalls.json").read_text("ascii")
    found: dict[str, Any] = json.loads(text)
    return found


def program(table: dict[str, Any], permits: Permits, process: int) -> Program:
    """Makes the filter of a process: (code, jump if true, jump if false, operand).

    The last instruction lets through what none before it refused.
    """
    calls: dict[str, int] = table["refused"]
    only = _only_with(table, permits, process)
    lifted = {name for name, *_ in only} | (FILE_CHANGES if permits.changes_files else set())
    lifted |= {"connect"} if permits.connects else set()
    refused = [number for name, number in calls.items() if name not in lifted]
    return [
        (LOAD, 0, 0, ARCHITECTURE),
        (EQUAL, 1, 0, table["audit"]),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, X32),
        (RETURN, 0, 0, KILL),
        *(part for number in table["absent"].values() for part in _answer(number, errno.ENOSYS)),
        *(part for number in refused for part in _answer(number, errno.EPERM)),
        *(part for condition in only for part in _unless(*condition[1:])),
        (RETURN, 0, 0, ALLOW),
    ]


def _only_with(
    table: dict[str, Any], permits: Permits, process: int
) -> list[tuple[str, int, int, int, Collection[int]]]:
    """Lists calls that one argument decides: name, number, argument, its bits, what they may be."""
    calls: dict[str, int] = table["refused"]
    only: list[tuple[str, int, int, int, Collection[int]]] = [
        ("clone", table["clone"], 0, CLONE_THREAD, (CLONE_THREAD,)),
        ("clone", table["clone"], 0, CLONE_NAMESPACES, (0,)),
        ("prlimit64", table["prlimit64"], 0, ALL_BITS, (0,)),
        ("sched_setaffinity", table["sched_setaffinity"], 0, ALL_BITS, (0,)),
        ("kill", calls["kill"], 0, ALL_BITS, (process,)),
        ("tgkill", calls["tgkill"], 0, ALL_BITS, (process,)),
    ]
    if permits.changes_files:
        # A pair of streams reaches nobody else; one of datagrams could be turned to an address.
        streams = (socket.SOCK_STREAM,)
        only += [
            ("socketpair", calls["socketpair"], 0, ALL_BITS, (socket.AF_UNIX,)),
            ("socketpair", calls["socketpair"], 1, SOCKET_TYPE_BITS, streams),
        ]
    else:
        only += [("open", number, place, WRITING, (0,)) for number, place in table["opening"]]
    if permits.connects:
        families = (socket.AF_INET, socket.AF_INET6)
        only += [("socket", calls["socket"], 0, ALL_BITS, families)]
    return only


def _answer(number: int, error: int) -> Program:
    return [(EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE | error)]


def _unless(number: int, argument: int, bits: int, values: Collection[int]) -> Program:
    """Refuses call `number` unless the bits of its argument (its low half) are such a value."""
    tests = [
        (EQUAL, len(values) - place, 0, int(value)) for place, value in enumerate(values)
    ]  # each jumps behind the refusal
    return [
        (EQUAL, 0, 4 + len(values), number),
        (LOAD, 0, 0, ARGUMENTS + 8 * argument),
        (AND, 0, 0, bits),
        *tests,
        (RETURN, 0, 0, REFUSE | errno.EPERM),
        (LOAD, 0, 0, NUMBER),
    ]
