"""Letting the kernel refuse every new connection of a process (Linux, by seccomp)."""

from __future__ import annotations

import errno
import platform
import struct
import sys
from typing import Final

#: By machine of 64 bits: the number by which the kernel tells it, and that of its call `socket`.
_MACHINES: Final = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
#: Of the kernel's headers: options of prctl, instructions of a filter and what it may say.
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUAL, _AT_LEAST, _SAY = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
#: Where the call's number and its machine stand, and from where numbers on are those of another way to call.
_CALL, _MACHINE, _OTHER_CALLS = 0, 4, 0x40000000


def refuse_connections() -> bool:
    """Let this thread, and what it starts, make no socket any more; False where the system cannot do that.

    Sockets and pipes that are open stay so, and so do other threads. There is no way back.
    """
    if sys.platform != "linux" or platform.machine() not in _MACHINES or sys.maxsize < 2**32:
        return False
    import ctypes

    machine, socket = _MACHINES[platform.machine()]
    steps = (
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 0, 4, machine),  # another one: refuse
        (_LOAD, 0, 0, _CALL),
        (_AT_LEAST, 2, 0, _OTHER_CALLS),
        (_EQUAL, 1, 0, socket),
        (_SAY, 0, 0, _ALLOW),
        (_SAY, 0, 0, _REFUSE),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    arguments = [ctypes.c_ulong(n) for n in (_FILTER, ctypes.addressof(program), 0, 0)]
    zeros = [ctypes.c_ulong(0)] * 3
    return bool(prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), *zeros) == 0 and prctl(_SECCOMP, *arguments) == 0)
