"""A sandbox without network: the kernel rejects new sockets of a process (Linux, seccomp-BPF)."""

from __future__ import annotations

import errno
import platform
import struct
import sys
from typing import Final

#: For each 64-bit architecture: its audit number, and the number of the system call `socket`.
_MACHINES: Final = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
#: Constants of the kernel headers: prctl options, BPF instructions and seccomp return values.
_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
#: Offsets of call number and architecture in `seccomp_data`; the first number of the x32 ABI.
_CALL, _MACHINE, _X32_CALLS = 0, 4, 0x40000000


def refuse_connections() -> bool:
    """Forbid this thread and its children to create sockets; return False if unsupported.

    Open sockets and pipes and other threads are not affected. This cannot be undone.
    """
    if sys.platform != "linux" or platform.machine() not in _MACHINES or sys.maxsize < 2**32:
        return False
    import ctypes

    machine, socket = _MACHINES[platform.machine()]
    steps = (
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 0, 4, machine),  # another architecture: refuse
        (_LOAD, 0, 0, _CALL),
        (_AT_LEAST, 2, 0, _X32_CALLS),
        (_EQUAL, 1, 0, socket),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(steps), ctypes.addressof(code)))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    arguments = [ctypes.c_ulong(n) for n in (_FILTER, ctypes.addressof(program), 0, 0)]
    zeros = [ctypes.c_ulong(0)] * 3
    return bool(
        prctl(_NO_NEW_PRIVILEGES, ctypes.c_ulong(1), *zeros) == 0
        and prctl(_SECCOMP, *arguments) == 0
    )
