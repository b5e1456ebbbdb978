"""Filters of system calls (seccomp), made by libseccomp.

play_filter(): what a library needs that only plays, and nothing else. A fork, a socket, ptrace or a signal to
others ends it by SIGSYS, so that the card can say so; every other call that is not in ALLOWED fails with
EPERM, also a call that a later kernel brings. build_filter(): a build may do what builds do, but reach no
network, trace nothing, hold no memory without a process, and signal nobody where no namespace holds its processes.
A filter stays in force over exec, and nothing can take it away. Numbers of another architecture end it.
"""
import errno
import contextlib
import os

with contextlib.suppress(ImportError):  # judge has said so, unless it prints its help
    from seccomp import ALLOW, EQ, ERRNO, KILL_PROCESS, MASKED_EQ, NE, Arg, Attr, SyscallFilter

CLONE_THREAD = 0x10000
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

ALLOWED = """
    read write readv writev pread64 close lseek fstat stat lstat newfstatat statx access faccessat faccessat2
    readlink readlinkat getcwd getdents64 fcntl dup dup2 dup3 pipe pipe2 fadvise64 mmap mprotect munmap brk
    mremap madvise mincore msync mlock munlock membarrier rt_sigaction rt_sigprocmask rt_sigreturn
    rt_sigsuspend rt_sigtimedwait sigaltstack pause alarm setitimer getitimer nanosleep clock_nanosleep
    clock_gettime clock_getres gettimeofday time times getpid getppid gettid getuid geteuid getgid getegid
    uname sysinfo getrlimit getrusage getcpu sched_yield sched_getaffinity getrandom arch_prctl prctl futex
    rseq set_tid_address set_robust_list poll ppoll select pselect6 execve restart_syscall exit exit_group
    wait4""".split()  # wait4: bubblewrap's own first process lives under the filter too
WRITING = "unlink unlinkat pwrite64 ftruncate mknod mknodat".split()  # Valgrind's own files need these
TRACING = """ptrace process_vm_readv process_vm_writev pidfd_open pidfd_getfd pidfd_send_signal unshare setns
    kcmp bpf keyctl add_key request_key userfaultfd perf_event_open io_uring_setup""".split()
PROCESSES = "fork vfork setsid setpgid".split()
NETWORK = "socket connect bind shmget msgget semget mq_open".split()
MOUNTING = "mount umount2 pivot_root chroot open_tree move_mount fsopen".split()
HOARDING = "memfd_create memfd_secret".split()  # memory of no process
SIGNALS = "kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo".split()


def new_filter(otherwise):
    made = SyscallFilter(otherwise)
    made.set_attr(Attr.ACT_BADARCH, KILL_PROCESS)
    return made


def add_all(made, action, names, *conditions):
    for name in names:
        made.add_rule(action, name, *conditions)


def play_filter(files_are_written=False, own_process=None):
    """For a program that plays. own_process: the only process that signals may go to; None: any, where a
    namespace of processes holds them."""
    made = new_filter(ERRNO(errno.EPERM))
    add_all(made, ALLOW, ALLOWED)
    add_all(made, KILL_PROCESS, [*PROCESSES, *NETWORK, *TRACING, "socketpair"])
    made.add_rule(ERRNO(errno.ENOSYS), "clone3")  # the C library then asks clone, whose flags can be seen
    made.add_rule(ALLOW, "clone", Arg(0, MASKED_EQ, CLONE_THREAD, CLONE_THREAD))
    made.add_rule(KILL_PROCESS, "clone", Arg(0, MASKED_EQ, CLONE_THREAD, 0))
    made.add_rule(ALLOW, "prlimit64", Arg(2, EQ, 0))  # look, but set nothing
    if files_are_written:
        add_all(made, ALLOW, [*WRITING, "open", "openat"])
    else:
        made.add_rule(ALLOW, "open", Arg(1, MASKED_EQ, WRITE_FLAGS, 0))
        made.add_rule(ALLOW, "openat", Arg(2, MASKED_EQ, WRITE_FLAGS, 0))
    if own_process is None:
        add_all(made, ALLOW, ["kill", "tgkill", "tkill"])
    else:
        add_all(made, ALLOW, ["kill", "tgkill"], Arg(0, EQ, own_process))
        add_all(made, KILL_PROCESS, ["kill", "tgkill"], Arg(0, NE, own_process))
    return made


def build_filter(is_alone):
    """For a build. is_alone: a namespace holds its processes, so that it may signal them."""
    made = new_filter(ALLOW)
    add_all(made, ERRNO(errno.EPERM), [*NETWORK, *TRACING, *MOUNTING, *HOARDING, *(() if is_alone else SIGNALS)])
    return made
