"""Filters of system calls (seccomp), written as the kernel reads them, without a library.

program(): what a library needs that only plays, and nothing else. A fork, a socket, ptrace or a signal to
others ends it by SIGSYS, so that the card can say so; every other call that is not in ALLOWED fails with
EPERM, also a call that a later kernel brings. build_program(): a build may do what builds do, but reach
no network, trace nothing, and signal nobody where no namespace holds its processes.
A filter stays in force over exec, and nothing can take it away.
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
ALLOWED = {
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "close": (3, 57), "lseek": (8, 62), "fstat": (5, 80), "stat": (4, None), "lstat": (6, None),
    "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None), "faccessat": (269, 48),
    "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17),
    "getdents64": (217, 61), "fcntl": (72, 25), "dup": (32, 23), "dup2": (33, None),
    "dup3": (292, 24), "pipe": (22, None), "pipe2": (293, 59), "fadvise64": (221, 223),
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214),
    "mremap": (25, 216), "madvise": (28, 233), "mincore": (27, 232), "msync": (26, 227),
    "mlock": (149, 228), "munlock": (150, 229), "membarrier": (324, 283),
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139),
    "rt_sigsuspend": (130, 133), "rt_sigtimedwait": (128, 137), "sigaltstack": (131, 132),
    "pause": (34, None), "alarm": (37, None), "setitimer": (38, 103), "getitimer": (36, 102),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153),
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177), "uname": (63, 160),
    "sysinfo": (99, 179), "getrlimit": (97, 163), "getrusage": (98, 165), "getcpu": (309, 168),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "getrandom": (318, 278),
    "arch_prctl": (158, None), "prctl": (157, 167), "futex": (202, 98), "rseq": (334, 293),
    "set_tid_address": (218, 96), "set_robust_list": (273, 99), "poll": (7, None),
    "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "execve": (59, 221),
    "wait4": (61, 260),  # bubblewrap's own first process lives under the filter too
    "restart_syscall": (219, 128), "exit": (60, 93), "exit_group": (231, 94)}
WRITING = {  # what Valgrind needs besides, for its own files
    "unlink": (87, None), "unlinkat": (263, 35), "pwrite64": (18, 68), "ftruncate": (77, 46),
    "mknod": (133, None), "mknodat": (259, 33)}
TRACING = {"ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
           "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "pidfd_send_signal": (424, 424),
           "unshare": (272, 97), "setns": (308, 268), "kcmp": (312, 272), "bpf": (321, 280),
           "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
           "userfaultfd": (323, 282), "perf_event_open": (298, 241), "io_uring_setup": (425, 425)}
PROCESSES = {"fork": (57, None), "vfork": (58, None), "setsid": (112, 157), "setpgid": (109, 154)}
NETWORK = {"socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "shmget": (29, 194),
           "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180)}
SOCKETPAIR = (53, 199)
MOUNTING = {"mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
            "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430)}
OPEN, OPENAT, CLONE, CLONE3, PRLIMIT = (2, None), (257, 56), (56, 220), (435, 435), (302, 261)
KILL_CALL, TKILL, TGKILL, SIGQUEUE, TGSIGQUEUE = (62, 129), (200, 130), (234, 131), (129, 138), (297, 240)

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def statement(code, value, if_true=0, if_false=0):
    return struct.pack("<HBBI", code, if_true, if_false, value & 0xFFFFFFFF)


class Filter:
    """The statements of a filter; column: of the tables above."""

    def __init__(self, column, architecture):
        self.column = column
        self.out = [statement(LOAD, ARCHITECTURE), statement(JUMP_EQUAL, architecture, 1, 0),
                    statement(RETURN, KILL), statement(LOAD, NUMBER)]
        if column == 0:  # the x32 calls have other numbers
            self.out += [statement(JUMP_ABOVE, 0x40000000, 0, 1), statement(RETURN, EPERM)]

    def decide(self, numbers, result):
        number = numbers[self.column]
        if number is not None:
            self.out += [statement(JUMP_EQUAL, number, 0, 1), statement(RETURN, result)]

    def decide_all(self, table, result):
        for numbers in table.values():
            self.decide(numbers, result)

    def decide_by(self, numbers, argument, comparison, if_so, if_not):
        """By an argument: comparison is (code, value)."""
        number = numbers[self.column]
        if number is not None:
            self.out += [statement(JUMP_EQUAL, number, 0, 4),
                         statement(LOAD, ARGUMENT + 8 * argument), statement(*comparison, 0, 1),
                         statement(RETURN, if_so), statement(RETURN, if_not)]

    def bytes(self, otherwise):
        return b"".join([*self.out, statement(RETURN, otherwise)])


def new_filter():
    """None on a machine that these tables do not know."""
    machine = MACHINES.get(platform.machine())
    return None if machine is None else Filter(*machine)


def program(files_are_written=False, own_process=None):
    """For a program that plays. own_process: the only process that signals may go to; None: any, where a
    namespace of processes holds them."""
    made = new_filter()
    if made is None:
        return None
    made.decide_all(ALLOWED, ALLOW)
    for table in (PROCESSES, NETWORK, TRACING):
        made.decide_all(table, KILL)
    made.decide(SOCKETPAIR, KILL)
    made.decide(CLONE3, ENOSYS)  # the C library then asks clone, whose flags can be seen
    made.decide_by(CLONE, 0, (JUMP_SET, CLONE_THREAD), ALLOW, KILL)
    made.decide_by(PRLIMIT, 2, (JUMP_EQUAL, 0), ALLOW, EPERM)  # look, but set nothing
    writing = ALLOW if files_are_written else EPERM
    if files_are_written:
        made.decide_all(WRITING, ALLOW)
    made.decide_by(OPEN, 1, (JUMP_SET, WRITE_FLAGS), writing, ALLOW)
    made.decide_by(OPENAT, 2, (JUMP_SET, WRITE_FLAGS), writing, ALLOW)
    if own_process is None:
        for numbers in (KILL_CALL, TGKILL, TKILL):
            made.decide(numbers, ALLOW)
    else:
        for numbers in (KILL_CALL, TGKILL):
            made.decide_by(numbers, 0, (JUMP_EQUAL, own_process), ALLOW, KILL)
    return made.bytes(EPERM)


def build_program(is_alone):
    """For a build. is_alone: a namespace holds its processes, so that it may signal them."""
    made = new_filter()
    if made is None:
        return None
    for table in (NETWORK, TRACING, MOUNTING):
        made.decide_all(table, EPERM)
    if not is_alone:
        for numbers in (KILL_CALL, TKILL, TGKILL, SIGQUEUE, TGSIGQUEUE):
            made.decide(numbers, EPERM)
    return made.bytes(ALLOW)


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


LIBC = ctypes.CDLL(None, use_errno=True)


def no_new_privileges():
    return LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0


def install(filter_bytes):
    """The filter holds for this process and its children from now on; False when the kernel
    has no seccomp."""
    buffer = ctypes.create_string_buffer(filter_bytes, len(filter_bytes))
    filter_program = Program(len(filter_bytes) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    return LIBC.prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(filter_program), 0, 0) == 0
