"""The one place that starts a process of a submission, and ends it.

1. A session and process group of its own; limits of processor time, memory, processes, files and
   their size; no new privileges; an empty environment. A box builds, or it judges; never both.
2. With bubblewrap: namespaces of its own (processes, network, users), and of the files only the
   system's and the box's, read-only, and the folders named by writable. Root gives it a user of its own.
3. What plays may start no process, open no socket, and write no file; what builds may reach no
   network and trace nothing: seccomp.
4. The box as a whole has limits too: a control group where there is one, a tmpfs of limited size where
   root may mount one, and one watch from outside, over memory, processes and disk.
5. The wall clock is watched from here. In the end every process that descends from this one is
   killed and reaped: what leaves its parent comes to us, the subreaper.
The judge itself cannot be traced nor its memory read: it is not dumpable.
The judge trusts nothing that comes back but the exit status; see contract.py and speed.py.
One file: it has all that a submission can do, and no other file has any of it.
"""
import ctypes
import dataclasses
import errno
import math
import os
import pwd
import resource
import select
import selectors
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import cgroup
from filters import build_filter, play_filter
from intake import LIBC

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
CLONE_NEWNS, MS_PRIVATE, MS_NOSUID_NODEV, MNT_DETACH = 0x20000, 0x44000, 6, 2
MEBIBYTE = 1 << 20
OUTPUT_KEPT = 1 << 16
OUTPUT_PARTS = 64
OUTPUT_LIMIT = 16 * MEBIBYTE
RESULT_LIMIT = 256 * MEBIBYTE
HAS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
PROCESS_IN_BUBBLEWRAP = 2  # after bwrap's own, the first of its namespace
OWN_USERS = range(61000, 65000)  # one of them, when the judge is root
BOX_MEMORY, BOX_PROCESSES, BOX_DISK = 4096 * MEBIBYTE, 200, 1024 * MEBIBYTE
WATCH_SECONDS = 0.25
PATIENCE = 10  # times the limit of processor time, on the wall clock: a busy machine makes nothing late
PATH = "/usr/local/bin:/usr/bin:/bin"  # of whatever runs in a box
OTHERS = 1000  # threads that a plain user may start elsewhere while a box runs: they count against its limit


class Limits:
    """Of one child. seconds: of processor time, rounded up, and for how long all of the box may sleep. memory: of its
    addresses; None: the box alone has a limit."""

    def __init__(self, seconds=10.0, memory=2048 * MEBIBYTE, processes=0, file_size=64 * MEBIBYTE,
                 files=64):
        self.seconds = seconds
        self.memory = memory
        self.processes = processes  # and threads, beside its first; what plays may start threads alone
        self.file_size = file_size
        self.files = files


@dataclasses.dataclass
class Job:
    """What a child runs, in which folder, and what it may."""

    words: list
    folder: str
    limits: Limits
    keep: tuple = ()            # descriptors that stay open
    results: bool = False       # it gets a pipe, whose number replaces "{results}" in words
    environment: dict = None
    watch: object = None        # watch(process, its results, deadline) drives it; see speed.py
    plays: bool = False         # seccomp allows only what a library needs
    writes: bool = False        # but files may be written
    stdin: object = None
    writable: tuple = ()        # folders of the box
    log: tuple = None           # (reading end, writing end) of a pipe that it gets the writing end of


class Outcome:
    """How a child ended."""

    def __init__(self):
        self.status = None        # the exit status, when it exited
        self.signal = None        # the signal that ended it
        self.is_late = False      # it computed or slept for longer than its limit
        self.is_flood = False     # too much output ended it
        self.too_much = None      # what the box had used up when it was ended
        self.output = b""         # of stdout and stderr, the beginning
        self.results = b""        # from the private descriptor
        self.log = b""            # from a tool's own pipe
        self.limit = 0            # seconds
        self.seconds = 0.0        # on the wall clock
        self.processor = 0.0      # seconds of processor time
        self.waits = 0            # how often it gave the processor away
        self.strays = 0           # processes that it left running

    def text(self):
        """Why it ended, in a few words."""
        if self.is_late:
            return f"it did not end within {self.limit:.0f} s"
        if self.is_flood:
            return "it printed without end"
        if self.too_much is not None:
            return f"it used up the {self.too_much} of its box"
        if self.signal is not None:
            if self.signal == signal.SIGSYS:
                return "it was ended: it asked for a process, a socket or a signal to another"
            return f"it was ended by {signal_name(self.signal)}"
        return f"it ended with exit status {self.status}"

    def first_words(self):
        text = self.output.decode("utf-8", "replace").strip()
        return text.splitlines()[-1][:200] if text else ""


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def at_most(kind, value):
    """The value, or the hard limit that is lower."""
    hard = resource.getrlimit(kind)[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)


# Processes -----------------------------------------------------------------------------------

def children_of(process):
    """As the kernel lists them, thread by thread, or as a walk over all processes finds them."""
    found = []
    if HAS_CHILDREN:
        try:
            threads = os.listdir(f"/proc/{process}/task")
        except OSError:
            return []  # it has ended
        for thread in threads:
            try:
                with open(f"/proc/{process}/task/{thread}/children", "rb") as file:
                    found += [int(word) for word in file.read().split()]
            except OSError:
                pass  # this thread has ended
        return found
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    if int(file.read().rpartition(b")")[2].split()[1]) == process:
                        found.append(int(name))
            except (OSError, IndexError, ValueError):
                pass
    return found


def descendants():
    """Every process that comes from this one."""
    found, open_ends = [], [os.getpid()]
    while open_ends:
        below = children_of(open_ends.pop())
        found += below
        open_ends += below
    return found


def doings():
    """Processor time of every descendant; None if one of them does not sleep."""
    found = []
    for process in descendants():
        try:
            with open(f"/proc/{process}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            return None  # it has just ended
        if fields[0] not in (b"S", b"Z"):
            return None
        found.append((process, *fields[11:15]))
    return found


def reap():
    """Take the dead; the number of them."""
    count = 0
    while True:
        try:
            process, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return count
        if process == 0:
            return count
        count += 1


def end_all():
    """Kill and reap every descendant; how many there were. They are stopped first, so that none
    forks faster than it is killed."""
    seen = set()
    for attempt in range(1000):
        alive = descendants()
        if not alive:
            break
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in alive:
                try:
                    os.kill(process, number)
                except OSError:
                    pass
        seen.update(alive)
        reap()
        if attempt:
            time.sleep(0.002)
    reap()
    return len(seen)


# What isolation there is ---------------------------------------------------------------------

SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc/alternatives",
                  "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/opt")


def bubblewrap_words(folder, writable):
    """bwrap with its namespaces, the system and the box read-only, but for what can be written."""
    words = [shutil.which("bwrap"), "--unshare-all", "--die-with-parent", "--new-session",
             "--cap-drop", "ALL", "--uid", "65534", "--gid", "65534", "--hostname", "judge"]
    for place in SYSTEM_FOLDERS:
        if os.path.islink(place):
            words += ["--symlink", os.readlink(place), place]
        elif os.path.exists(place):
            words += ["--ro-bind", place, place]
    words += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--ro-bind", folder, folder]
    for place in writable:
        words += ["--bind", place, place]
    return words + ["--remount-ro", "/"]


def takes_filters():
    """True if the kernel takes a filter: a child tries it."""
    child = os.fork()
    if child == 0:
        try:
            play_filter().load()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


class TooWeak(OSError):
    """The box that can be had here holds nobody."""


class Sandbox:
    """A private folder, and the strongest isolation that can be had. isolation: "auto"; "plain" (without
    bubblewrap, however weak the box is then); "bubblewrap", which must be there. builds: a hand-in's
    own build runs here, so that the folder has a limit of its own."""
    def __init__(self, isolation="auto", builds=False):
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        LIBC.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        self.folder = tempfile.mkdtemp(prefix="judge-")
        self.user = self.claim = None
        self.strays = 0
        self.group = None
        self.has_tmpfs = self.bubblewrap = False
        self.reads_memory = True
        try:
            self.prepare(isolation, builds)
        except BaseException:
            self.remove()
            raise

    def prepare(self, isolation, builds):
        if os.geteuid() == 0:
            self.user, self.claim = free_user()
            self.has_tmpfs = builds and mount_tmpfs(self.folder, BOX_DISK)
            os.chown(self.folder, 0, self.user)
            os.chmod(self.folder, 0o750)
        self.group = cgroup.group(os.path.basename(self.folder), BOX_MEMORY, BOX_PROCESSES)
        if not takes_filters():
            raise TooWeak(errno.ENOSYS, "the box is too weak here: the kernel takes no filter of system calls")
        if isolation != "plain" and shutil.which("bwrap"):
            self.bubblewrap = self.probe_bubblewrap()
        if not self.bubblewrap:
            self.reads_memory = self.probe_reading()
        if isolation == "bubblewrap" and not self.bubblewrap:
            raise OSError(errno.ENOSYS, "bubblewrap cannot be had here")
        if isolation == "auto" and not self.bubblewrap and not self.user:
            raise TooWeak(errno.ENOSYS, "the box is too weak here: neither bubblewrap nor, as root, a user "
                          "of its own; --isolation=plain grades all the same")

    @property
    def holds_files(self):
        """True if a hand-in can write to no file of the judge's user outside of the box."""
        return self.bubblewrap or self.user is not None

    def make(self, name, is_theirs=True):
        """A folder within; theirs: the submission may write to it."""
        path = os.path.join(self.folder, name)
        os.makedirs(path, mode=0o755, exist_ok=True)
        if is_theirs:
            self.give(path)
        return path

    def give(self, path):
        """Let the submission own what the judge put there, before anything of it ran."""
        if self.user is None:
            return
        for top, _, files in os.walk(path):
            for name in [top, *(os.path.join(top, file) for file in files)]:
                os.chown(name, self.user, self.user, follow_symlinks=False)

    def remove(self):
        end_all()
        if self.user is not None:
            remove_files_of(self.user)
            self.claim.close()
        if self.group is not None:
            self.group.remove()
        if self.has_tmpfs:
            LIBC.umount2(os.fsencode(self.folder), MNT_DETACH)
        remove_tree(self.folder)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.remove()

    def describe(self):
        """What the card says of it."""
        return {
            "bubblewrap": self.bubblewrap,
            "seccomp": True,
            "namespaces": self.bubblewrap,
            "own_user": self.user is not None,
            "control_group": self.group is not None,
            "limits": True,
            "no_new_privileges": True,
            "summary": self.summary(),
            "missing": self.missing(),
        }

    def summary(self):
        parts = ["own session and limits"]
        if self.bubblewrap:
            parts.insert(0, "bubblewrap (own processes, files and network)")
        if self.user is not None:
            parts.insert(0, "a user of its own")
        parts.append("system calls filtered by seccomp")
        if self.group is not None:
            parts.append("a control group")
        return ", ".join(parts)

    def missing(self):
        """In words, what a stronger box would have kept from the submission."""
        out = []
        if not self.bubblewrap:
            out.append("no bubblewrap: the build sees the machine's processes and reads every file that "
                       + ("everybody may read" if self.user is not None else "the judge's user may "
                          "read, and writes every file that this user may write"))
        if not self.reads_memory:
            out.append("no right to read the memory of others: that the search's code stays as it was "
                       "compiled is not checked")
        if self.group is None:
            out.append("no control group: memory and processes are limited one by one, and watched "
                       "from outside")
        return out

    def probe_bubblewrap(self):
        self.bubblewrap = True
        outcome = self.run(Job(["/bin/true"], self.folder, Limits(processes=16)))
        self.bubblewrap = outcome.status == 0
        return self.bubblewrap

    def probe_reading(self):
        """True if the memory of what runs here can be read; a container may forbid it. No hand-in has a
        part in this, because a process can forbid it, too."""
        reading, writing = os.pipe()
        found = []

        def look(process, *_):
            try:
                with open(f"/proc/{process.pid}/mem", "rb"):
                    found.append(process.pid)
            except OSError:
                pass
            os.close(writing)
        self.run(Job(["/bin/cat"], self.folder, Limits(), watch=look, stdin=reading))
        os.close(reading)
        return bool(found)

    # Running ---------------------------------------------------------------------------------

    def become_user(self):
        """In a child: the box's user, if there is one."""
        if self.user is not None:
            os.setgroups([])
            os.setgid(self.user)
            os.setuid(self.user)

    def confine(self, limits, filter_of):
        """Run in the child, between fork and exec. filter_of(): the filter; None: bubblewrap sets it."""
        def hook():
            for kind, value in (
                    *([] if limits.memory is None else [(resource.RLIMIT_AS, limits.memory)]),
                    (resource.RLIMIT_FSIZE, limits.file_size),
                    (resource.RLIMIT_NOFILE, limits.files),
                    (resource.RLIMIT_CORE, 0)):
                value = at_most(kind, value)
                resource.setrlimit(kind, (value, value))
            cpu = math.ceil(limits.seconds)
            resource.setrlimit(resource.RLIMIT_CPU, (at_most(resource.RLIMIT_CPU, cpu),
                                                     at_most(resource.RLIMIT_CPU, cpu + 1)))
            if self.group is not None:
                self.group.join()
            self.become_user()
            LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if limits.processes or self.user is not None:
                wanted = limits.processes + (4 if self.bubblewrap else 1)
                wanted += threads_of_user() + OTHERS if self.user is None else 0
                wanted = at_most(resource.RLIMIT_NPROC, wanted)
                resource.setrlimit(resource.RLIMIT_NPROC, (wanted, wanted))
            os.umask(0o077)
            LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            if filter_of is not None:
                filter_of().load()
        return hook

    def run(self, job):
        """Run a job to its end. What came through its log is outcome.log."""
        outcome = Outcome()
        outcome.limit = job.limits.seconds
        read_end, write_end = os.pipe() if job.results else (None, None)
        words = [word.replace("{results}", str(write_end)) for word in job.words]
        env = {"PATH": PATH, "LC_ALL": "C", "TMPDIR": job.folder, "HOME": job.folder}
        env = dict(job.environment or {}) if job.plays else {**env, **(job.environment or {})}
        kept = [*job.keep, *([write_end] if job.results else []), *(job.log[1:] if job.log else [])]
        filter_file = None
        if self.bubblewrap:
            filter_file = filter_in_memory(play_filter(job.writes, PROCESS_IN_BUBBLEWRAP) if job.plays
                                           else build_filter(True))
            kept.append(filter_file)
            words = [*bubblewrap_words(self.folder, job.writable), "--chdir", job.folder,
                     "--seccomp", str(filter_file), "--", *words]

        def filter_of():
            return play_filter(job.writes, os.getpid()) if job.plays else build_filter(False)
        start = time.monotonic()
        try:
            process = subprocess.Popen(
                words, cwd=job.folder, env=env, stdin=subprocess.DEVNULL if job.stdin is None else job.stdin,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=kept,
                start_new_session=True, preexec_fn=self.confine(job.limits, None if self.bubblewrap else filter_of))
        except (OSError, subprocess.SubprocessError) as problem:
            for end in (read_end, write_end, filter_file):
                if end is not None:
                    os.close(end)
            outcome.status, outcome.output = 127, str(problem).encode()
            return outcome
        for end in (write_end, filter_file):
            if end is not None:
                os.close(end)
        if job.log:
            os.close(job.log[1])
        deadline = start + PATIENCE * outcome.limit
        try:
            if job.watch is not None:
                job.watch(process, read_end, deadline)
            self.follow(process, read_end, deadline, outcome, job.log and job.log[0])
        finally:
            self.end(process, outcome)
            process.stdout.close()
            if read_end is not None:
                os.close(read_end)
        outcome.seconds = time.monotonic() - start
        return outcome

    def follow(self, process, read_end, deadline, outcome, log_end=None):
        """Take what it prints and answers until it has ended, is late, or has used up its box."""
        output, results, log, printed, answered = [], [], [], 0, 0
        looked = moved = time.monotonic()  # moved: when it was last seen to do anything
        before = None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ, output)
            for end, parts in ((read_end, results), (log_end, log)):
                if end is not None:
                    selector.register(end, selectors.EVENT_READ, parts)
            while selector.get_map():
                now = time.monotonic()
                if now >= deadline or now - moved > outcome.limit:
                    outcome.is_late = True
                    break
                if now - looked > WATCH_SECONDS:
                    looked, outcome.too_much = now, self.used_up()
                    if outcome.too_much is not None:
                        break
                    what = doings()
                    if what is None or what != before:
                        moved, before = now, what
                ended = has_ended(process)
                events = selector.select(0 if ended else min(deadline - now, 0.05))
                moved = now if events else moved
                for key, _ in events:
                    data = os.read(key.fd, 1 << 16)
                    if not data:
                        selector.unregister(key.fileobj)
                    elif key.data is output:
                        printed += len(data)
                        if printed - len(data) < OUTPUT_KEPT:
                            output.append(data)
                        elif printed < OUTPUT_LIMIT:  # the end of a build says why it failed
                            output[OUTPUT_PARTS:] = [data]
                    else:
                        key.data.append(data)
                        answered += len(data)
                if printed > OUTPUT_LIMIT or answered > RESULT_LIMIT:
                    outcome.is_flood = True
                    break
                if ended and not events:
                    break  # a stray may hold the pipes
        outcome.output = b"".join(output)
        outcome.results, outcome.log = b"".join(results), b"".join(log)

    def used_up(self):
        """None, or the limit of the whole box that is gone."""
        processes = descendants()
        nameless = without_names(processes) if self.reads_memory else self.asked_as_user(processes)
        memory = sum(resident(process) for process in processes)
        if memory + nameless > BOX_MEMORY:
            return "memory"
        if len(processes) > BOX_PROCESSES:
            return "processes"
        disk = disk_of(self.folder, self.has_tmpfs) + (0 if self.has_tmpfs else nameless)
        return "disk" if disk > BOX_DISK * 0.95 else None

    def asked_as_user(self, processes):
        """without_names, asked by a child with the box's user: a container may forbid root to look at others'
        files. No answer counts as all of the memory, because nobody but the hand-in stops or ends that child."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                self.become_user()
                os.write(writing, str(without_names(processes)).encode())
            finally:
                os._exit(0)
        os.close(writing)
        text = os.read(reading, 64) if select.select([reading], [], [], 5)[0] else b""
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return int(text or BOX_MEMORY)

    def end(self, process, outcome):
        ended = has_ended(process)
        is_ended_here = outcome.is_late or outcome.is_flood or outcome.too_much is not None
        if not ended and not is_ended_here:
            deadline = time.monotonic() + 1  # it has closed its pipes: it is about to end
            while not has_ended(process) and time.monotonic() < deadline:
                time.sleep(0.001)
            outcome.is_late = not has_ended(process)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            pass
        _, status, usage = os.wait4(process.pid, 0)
        status = process.returncode = os.waitstatus_to_exitcode(status)
        outcome.processor = usage.ru_utime + usage.ru_stime  # with its children, if it waited for them
        outcome.waits = usage.ru_nvcsw
        strays = end_all()
        if self.bubblewrap:
            strays = 0  # they ended with its namespace; what was seen was bwrap itself
        outcome.strays = strays
        self.strays += strays
        if not outcome.is_late and not is_ended_here:
            if self.bubblewrap and status > 128:  # bwrap reports a signal as a shell does
                status = 128 - status
            outcome.status, outcome.signal = (status, None) if status >= 0 else (None, -status)
            outcome.is_late = outcome.signal == signal.SIGXCPU or (  # or it ignored that one
                outcome.signal == signal.SIGKILL and outcome.processor >= outcome.limit)


def has_ended(process):
    """True if the process is dead, without reaping it: its number stays its own."""
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    except ChildProcessError:
        return True


def one_way():
    """(reading end, writing end) for questions, or the log of a tool: sockets, because a pipe can be opened
    once more by its name in /proc."""
    reading, writing = socket.socketpair()
    reading.shutdown(socket.SHUT_WR)
    return reading.detach(), writing.detach()


def memory_file(content):
    """A descriptor of a file without a name that holds this, at its start."""
    file = os.memfd_create("judge", 0)
    done = 0
    while done < len(content):
        done += os.write(file, content[done:done + (1 << 20)])
    os.lseek(file, 0, os.SEEK_SET)
    return file


def filter_in_memory(made):
    """A descriptor of a file without a name that holds a filter as the kernel reads it."""
    file = memory_file(b"")
    with open(file, "wb", closefd=False) as out:
        made.export_bpf(out)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def resident(process):
    """Bytes of memory that a process has in use."""
    try:
        with open(f"/proc/{process}/statm", "rb") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, IndexError, ValueError):
        return 0


def without_names(processes):
    """Bytes of the files without a name that these have open or mapped: in no folder, and in no process either."""
    found = {}
    for process in processes:
        try:
            for name in os.listdir(f"/proc/{process}/fd"):
                place = f"/proc/{process}/fd/{name}"
                if os.readlink(place).endswith(" (deleted)"):
                    status = os.stat(place)
                    found[status.st_dev, status.st_ino] = status.st_blocks * 512
            with open(f"/proc/{process}/maps", encoding="utf-8", errors="replace") as file:
                rows = [line.split() for line in file if line.endswith(" (deleted)\n")]
        except OSError:
            continue  # it has ended, or lets nobody look
        for row in rows:
            key = os.makedev(*(int(part, 16) for part in row[3].split(":"))), int(row[4])
            start, end = (int(part, 16) for part in row[0].split("-"))
            found[key] = max(found.get(key, 0), end - start)
    return sum(found.values())


def disk_of(folder, is_alone):
    """Bytes that a folder takes; is_alone: it is a file system of its own."""
    if is_alone:
        state = os.statvfs(folder)
        if state.f_favail == 0:
            return BOX_DISK
        return (state.f_blocks - state.f_bfree) * state.f_frsize
    total, looked, open_folders = 0, 0, [folder]
    while open_folders and looked < 100_000:
        try:
            for entry in os.scandir(open_folders.pop()):
                looked += 1
                status = entry.stat(follow_symlinks=False)
                total += status.st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    open_folders.append(entry.path)
        except OSError:
            pass  # it has gone, or its path is too long
    return BOX_DISK if looked >= 100_000 else total


def mount_tmpfs(folder, size):
    """A file system for one folder, seen by this process and its children alone; False when that
    cannot be had."""
    if LIBC.unshare(CLONE_NEWNS) != 0 or \
            LIBC.mount(b"none", b"/", None, ctypes.c_ulong(MS_PRIVATE), None) != 0:
        return False
    words = f"size={size},nr_inodes=100000,mode=0750".encode()
    return LIBC.mount(b"judge", os.fsencode(folder), b"tmpfs",
                              ctypes.c_ulong(MS_NOSUID_NODEV), words) == 0


def remove_tree(folder):
    """However deep it is, and whatever its modes are. A link is removed, not followed; nobody writes to it any more."""
    def call(*words):
        return subprocess.run([*words, "--", folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode
    if call("rm", "-rf") != 0:  # of a plain user, who closed a folder
        call("chmod", "-R", "u+rwx")
        call("rm", "-rf")


def claimed(user):
    """A socket whose name says that the number is in use by a judge, until it is closed or its process
    ends; None when another has it."""
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0judge-user-{user}")
    except OSError:
        claim.close()
        return None
    return claim


def free_user():
    """(a user number that no account, no process and no box of any judge has, what claims it)."""
    taken = set()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                taken.add(os.stat(f"/proc/{name}").st_uid)
            except OSError:
                pass
    taken.update(entry.pw_uid for entry in pwd.getpwall())
    start = os.getpid() % len(OWN_USERS)
    for user in [*OWN_USERS[start:], *OWN_USERS[:start]]:
        claim = None if user in taken else claimed(user)
        if claim is not None:
            return user, claim
    raise OSError(errno.EAGAIN, "no user number is free for the box")


def threads_of_user():
    user, count = os.getuid(), 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat(f"/proc/{name}").st_uid == user:
                    count += len(os.listdir(f"/proc/{name}/task"))
            except OSError:
                pass
    return count


def remove_files_of(user):
    """What a user of its own left in the folders where everybody may write."""
    for place in ("/tmp", "/var/tmp", "/dev/shm"):
        for entry in os.scandir(place) if os.path.isdir(place) else ():
            try:
                if entry.stat(follow_symlinks=False).st_uid != user:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    remove_tree(entry.path)
                else:
                    os.unlink(entry.path)
            except OSError:
                pass
