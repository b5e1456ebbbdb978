"""A filter of system calls (seccomp), written as the kernel reads it, without a library.

It serves a program that needs no other process, no network and no file to write. fork, sockets,
signals to others and ptrace end it by SIGSYS; what makes or changes a file fails with EPERM. It stays
in force over exec, and nothing can take it away.
"""
import ctypes
import os
import platform
import struct

LOAD, JUMP_EQUAL, JUMP_SET, JUMP_ABOVE, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
NUMBER, ARCHITECTURE, ARGUMENT = 0, 4, 16
ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000
CLONE_THREAD = 0x10000
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, MODE_FILTER = 38, 22, 2

# Numbers of system calls: on x86-64, on AArch64 (None: there is no such call).
PROCESSES = {"fork": (57, None), "vfork": (58, None), "ptrace": (101, 117), "setsid": (112, 157),
             "setpgid": (109, 154), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
             "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "unshare": (272, 97),
             "setns": (308, 268), "kcmp": (312, 272), "bpf": (321, 280), "keyctl": (250, 219),
             "add_key": (248, 217), "userfaultfd": (323, 282), "perf_event_open": (298, 241),
             "io_uring_setup": (425, 425)}
NETWORK = {"socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
           "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180)}
FILES = {"creat": (85, None), "mkdir": (83, None), "mkdirat": (258, 34), "mknod": (133, None),
         "mknodat": (259, 33), "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276),
         "link": (86, None), "linkat": (265, 37), "symlink": (88, None), "symlinkat": (266, 36),
         "unlink": (87, None), "unlinkat": (263, 35), "rmdir": (84, None), "truncate": (76, 45),
         "chmod": (90, None), "fchmodat": (268, 53), "chown": (92, None), "fchownat": (260, 54),
         "lchown": (94, None), "utimensat": (280, 88), "setxattr": (188, 5), "mount": (165, 40),
         "open_tree": (428, 428), "openat2": (437, 437)}
OPEN, OPENAT, CLONE, CLONE3 = (2, None), (257, 56), (56, 220), (435, 435)
KILL_CALL, TKILL, TGKILL, SIGQUEUE, TGSIGQUEUE = (62, 129), (200, 130), (234, 131), (129, 138), (297, 240)

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def statement(code, value, if_true=0, if_false=0):
    return struct.pack("<HBBI", code, if_true, if_false, value & 0xFFFFFFFF)


def program(files_are_written=False, own_process=None):
    """The filter as bytes, or None on a machine that this table does not know. own_process: the only
    process that signals may go to; None: any, where a namespace of processes holds them."""
    if platform.machine() not in MACHINES:
        return None
    column, architecture = MACHINES[platform.machine()]
    out = [statement(LOAD, ARCHITECTURE), statement(JUMP_EQUAL, architecture, 1, 0),
           statement(RETURN, KILL), statement(LOAD, NUMBER)]
    if column == 0:  # the x32 calls have other numbers
        out += [statement(JUMP_ABOVE, 0x40000000, 0, 1), statement(RETURN, EPERM)]

    def denied(number, result=KILL):
        if number is not None:
            out.extend([statement(JUMP_EQUAL, number, 0, 1), statement(RETURN, result)])

    def denied_by(number, argument, code, value, on_match, result=KILL):
        """Look at an argument: denied when the comparison says on_match."""
        if number is None:
            return
        out.extend([statement(JUMP_EQUAL, number, 0, 4), statement(LOAD, ARGUMENT + 8 * argument),
                    statement(code, value, *((0, 1) if on_match else (1, 0))),
                    statement(RETURN, result), statement(LOAD, NUMBER)])

    for numbers in [*PROCESSES.values(), *NETWORK.values()]:
        denied(numbers[column])
    denied(CLONE3[column], ENOSYS)  # the C library then asks clone, whose flags can be seen
    denied_by(CLONE[column], 0, JUMP_SET, CLONE_THREAD, False)
    if not files_are_written:
        for numbers in FILES.values():
            denied(numbers[column], EPERM)
        denied_by(OPEN[column], 1, JUMP_SET, WRITE_FLAGS, True, EPERM)
        denied_by(OPENAT[column], 2, JUMP_SET, WRITE_FLAGS, True, EPERM)
    if own_process is not None:
        for numbers in (KILL_CALL, TGKILL, SIGQUEUE, TGSIGQUEUE):
            denied_by(numbers[column], 0, JUMP_EQUAL, own_process, False)
        denied(TKILL[column], EPERM)
    out.append(statement(RETURN, ALLOW))
    return b"".join(out)


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


LIBC = ctypes.CDLL(None, use_errno=True)


def no_new_privileges():
    return LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0


def install(filter_bytes):
    """In force for this process and its children from now on; False when the kernel has none."""
    buffer = ctypes.create_string_buffer(filter_bytes, len(filter_bytes))
    filter_program = Program(len(filter_bytes) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    return LIBC.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(filter_program), 0, 0) == 0
