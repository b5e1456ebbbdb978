"""The one place that starts a process of a submission, and ends it.

1. A session and process group of its own; limits of processor time, memory, processes, files and
   their size; no new privileges; an empty environment; a private folder for temporary files.
2. With bubblewrap: namespaces of its own (processes, network, users), and of the files only the
   system's, read-only, and the private folder. Without, root gives it a user of its own.
3. A submission that only plays (Play) may start no process, open no socket, and write no file: seccomp.
4. The wall clock is watched from here. In the end every process that descends from this one is
   killed and reaped: what leaves its parent comes to us, the subreaper.
The judge trusts nothing that comes back but the exit status; see contract.py and speed.py.
"""
import errno
import os
import pwd
import resource
import selectors
import shutil
import signal
import subprocess
import tempfile
import time

import seccomp

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
MEBIBYTE = 1 << 20
OUTPUT_KEPT = 1 << 16
OUTPUT_LIMIT = 16 * MEBIBYTE
RESULT_LIMIT = 256 * MEBIBYTE
HAS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")
PROCESS_IN_BUBBLEWRAP = 2  # behind bwrap's own, the first of its namespace
OWN_USERS = range(61000, 65000)  # one of them, when the judge is root


class Limits:
    """Of one child. seconds: on the wall clock; processor time has the same limit, rounded up."""

    def __init__(self, seconds=10.0, memory=2048 * MEBIBYTE, processes=0, file_size=64 * MEBIBYTE,
                 files=64):
        self.seconds = seconds
        self.memory = memory
        self.processes = processes  # 0: no other than itself
        self.file_size = file_size
        self.files = files


class Outcome:
    """How a child ended."""

    def __init__(self):
        self.status = None        # the exit status, when it exited
        self.signal = None        # the signal that ended it
        self.is_late = False      # the wall clock ended it
        self.is_flood = False     # too much output ended it
        self.output = b""         # of stdout and stderr, the beginning
        self.results = b""        # from the private descriptor
        self.seconds = 0.0
        self.answering = 0.0      # seconds between the first and the last result
        self.strays = 0           # processes that it left behind

    def text(self):
        """Why it ended, in a few words."""
        if self.is_late:
            return f"it did not end within {self.seconds:.0f} s"
        if self.is_flood:
            return "it printed without end"
        if self.signal is not None:
            if self.signal == signal.SIGXCPU:
                return "it used up its processor time"
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


# Processes -----------------------------------------------------------------------------------

def children_of(process):
    """As the kernel lists them, or as a walk over all processes finds them."""
    try:
        with open(f"/proc/{process}/task/{process}/children", "rb") as file:
            return [int(word) for word in file.read().split()]
    except FileNotFoundError:
        if HAS_CHILDREN:
            return []  # it has ended
    found = []
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


def bubblewrap_words(folder):
    """bwrap with its namespaces, the system read-only and one folder that can be written."""
    words = [shutil.which("bwrap"), "--unshare-all", "--die-with-parent", "--new-session",
             "--cap-drop", "ALL", "--uid", "65534", "--gid", "65534", "--hostname", "judge"]
    for place in SYSTEM_FOLDERS:
        if os.path.islink(place):
            words += ["--symlink", os.readlink(place), place]
        elif os.path.exists(place):
            words += ["--ro-bind", place, place]
    return words + ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--bind", folder,
                    folder, "--remount-ro", "/"]


class Sandbox:
    """A private folder, and the strongest isolation that can be had. isolation: "auto", "plain"
    (without bubblewrap), or "bubblewrap", which must then be there."""

    def __init__(self, isolation="auto"):
        seccomp.LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.folder = tempfile.mkdtemp(prefix="judge-")
        self.user = None
        self.strays = 0
        if os.geteuid() == 0:
            self.user = free_user()
            os.chown(self.folder, self.user, self.user)
        self.has_seccomp = self.probe_seccomp()
        self.bubblewrap = False
        if isolation != "plain" and shutil.which("bwrap"):
            self.bubblewrap = self.probe_bubblewrap()
        if isolation == "bubblewrap" and not self.bubblewrap:
            raise OSError(errno.ENOSYS, "bubblewrap cannot be had here")

    def make(self, name):
        """A folder within, which the submission may write to."""
        path = os.path.join(self.folder, name)
        os.makedirs(path, exist_ok=True)
        self.give(path)
        return path

    def give(self, path):
        """Let the submission own what was put there."""
        if self.user is None:
            return
        for top, _, files in os.walk(path):
            for name in [top, *(os.path.join(top, file) for file in files)]:
                os.chown(name, self.user, self.user, follow_symlinks=False)

    def remove(self):
        end_all()
        if self.user is not None:
            kill_user(self.user)
            remove_files_of(self.user)
        for top, folders, _ in os.walk(self.folder):
            for name in folders:
                path = os.path.join(top, name)
                if not os.path.islink(path):
                    os.chmod(path, 0o700)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.remove()

    def describe(self):
        """What the card says of it."""
        return {
            "bubblewrap": self.bubblewrap,
            "seccomp": self.has_seccomp,
            "namespaces": self.bubblewrap,
            "own_user": self.user is not None,
            "limits": True,
            "no_new_privileges": True,
            "summary": self.summary(),
        }

    def summary(self):
        parts = ["own session and limits"]
        if self.bubblewrap:
            parts.insert(0, "bubblewrap (own processes, files and network)")
        if self.user is not None:
            parts.insert(0, "a user of its own")
        if self.has_seccomp:
            parts.append("system calls filtered by seccomp")
        return ", ".join(parts)

    def probe_seccomp(self):
        """Whether the kernel takes the filter: asked of a child."""
        filter_bytes = seccomp.program()
        if filter_bytes is None:
            return False
        child = os.fork()
        if child == 0:
            good = seccomp.no_new_privileges() and seccomp.install(filter_bytes)
            os._exit(0 if good else 1)
        return os.waitpid(child, 0)[1] == 0

    def probe_bubblewrap(self):
        self.bubblewrap = True
        outcome = self.run(["/bin/true"], self.folder, Limits(processes=16))
        return outcome.status == 0

    # Running ---------------------------------------------------------------------------------

    def confine(self, limits, filter_of):
        """Run in the child, between fork and exec."""
        def hook():
            for kind, value in (
                    (resource.RLIMIT_AS, limits.memory),
                    (resource.RLIMIT_FSIZE, limits.file_size),
                    (resource.RLIMIT_NOFILE, limits.files),
                    (resource.RLIMIT_CORE, 0)):
                hard = resource.getrlimit(kind)[1]
                value = value if hard == resource.RLIM_INFINITY else min(value, hard)
                resource.setrlimit(kind, (value, value))
            cpu = int(limits.seconds) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
            if self.user is not None:
                os.setgroups([])
                os.setgid(self.user)
                os.setuid(self.user)
            seccomp.LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if limits.processes or self.user is not None:
                wanted = limits.processes + (4 if self.bubblewrap else 1)
                wanted += processes_of_user() if self.user is None else 0
                hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
                wanted = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
                resource.setrlimit(resource.RLIMIT_NPROC, (wanted, wanted))
            os.umask(0o077)
            seccomp.no_new_privileges()
            if filter_of is not None:
                seccomp.install(filter_of())
        return hook

    def run(self, words, folder, limits, keep=(), results=False, environment=None, watch=None,
            plays=False, writes=False, stdin=None):
        """Run to its end. keep: descriptors that stay open. results: the child gets a pipe, whose
        number stands for "{results}" in words. plays: seccomp forbids what a library does not need;
        writes: but files may be written. watch(send, receive): drives the child instead of waiting; see
        speed.py."""
        outcome = Outcome()
        read_end, write_end = os.pipe() if results else (None, None)
        words = [word.replace("{results}", str(write_end)) for word in words]
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TMPDIR": folder,
               "HOME": folder}
        env = dict(environment or {}) if plays else {**env, **(environment or {})}
        kept = [*keep, *([write_end] if results else [])]
        filter_of, filter_file = None, None
        if plays and self.has_seccomp:
            if self.bubblewrap:
                filter_file = memory_file(seccomp.program(writes, PROCESS_IN_BUBBLEWRAP))
                kept.append(filter_file)
            else:
                filter_of = lambda: seccomp.program(writes, os.getpid())  # noqa: E731
        if self.bubblewrap:
            words = [*bubblewrap_words(self.folder), "--chdir", folder,
                     *(["--seccomp", str(filter_file)] if filter_file is not None else []),
                     "--", *words]
        start = time.monotonic()
        try:
            process = subprocess.Popen(
                words, cwd=folder, env=env, stdin=stdin if stdin is not None else subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=kept,
                start_new_session=True, preexec_fn=self.confine(limits, filter_of))
        except (OSError, subprocess.SubprocessError) as problem:
            for end in (read_end, write_end, filter_file):
                if end is not None:
                    os.close(end)
            outcome.status, outcome.output = 127, str(problem).encode()
            return outcome
        for end in (write_end, filter_file):
            if end is not None:
                os.close(end)
        try:
            if watch is not None:
                watch(process, read_end, start + limits.seconds)
            self.follow(process, read_end, start + limits.seconds, outcome)
        finally:
            self.end(process, outcome)
            process.stdout.close()
            if read_end is not None:
                os.close(read_end)
        outcome.seconds = time.monotonic() - start
        return outcome

    @staticmethod
    def follow(process, read_end, deadline, outcome):
        """Take what it prints and answers until it has ended, or is late."""
        output, results, printed, answered = [], [], 0, 0
        first = None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ, output)
            if read_end is not None:
                selector.register(read_end, selectors.EVENT_READ, results)
            while selector.get_map():
                left = deadline - time.monotonic()
                if left <= 0:
                    outcome.is_late = True
                    break
                ended = has_ended(process)
                events = selector.select(0 if ended else min(left, 0.05))
                for key, _ in events:
                    data = os.read(key.fd, 1 << 16)
                    if not data:
                        selector.unregister(key.fileobj)
                    elif key.data is output:
                        printed += len(data)
                        if printed - len(data) < OUTPUT_KEPT:
                            output.append(data)
                    else:
                        results.append(data)
                        answered += len(data)
                        first = first or time.monotonic()
                        outcome.answering = time.monotonic() - first
                if printed > OUTPUT_LIMIT or answered > RESULT_LIMIT:
                    outcome.is_flood = True
                    break
                if ended and not events:
                    break  # a stray may hold the pipes
        outcome.output = b"".join(output)
        outcome.results = b"".join(results)

    def end(self, process, outcome):
        ended = has_ended(process)
        if not ended and not outcome.is_late and not outcome.is_flood:
            deadline = time.monotonic() + 1  # it has closed its pipes: it is about to end
            while not has_ended(process) and time.monotonic() < deadline:
                time.sleep(0.001)
            outcome.is_late = not has_ended(process)
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except OSError:
            pass
        status = process.wait()
        strays = end_all()
        if self.bubblewrap:
            strays = 0  # they ended with its namespace; what was seen was bwrap itself
        outcome.strays = strays
        self.strays += strays
        if not outcome.is_late and not outcome.is_flood:
            if self.bubblewrap and status > 128:  # bwrap tells a signal as a shell does
                status = 128 - status
            outcome.status, outcome.signal = (status, None) if status >= 0 else (None, -status)


def has_ended(process):
    """Whether the process is dead, without reaping it: its number stays its own."""
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None
    except ChildProcessError:
        return True


def memory_file(content):
    """A descriptor of a file without a name that holds this, at its start."""
    file = os.memfd_create("judge", 0)
    done = 0
    while done < len(content):
        done += os.write(file, content[done:done + (1 << 20)])
    os.lseek(file, 0, os.SEEK_SET)
    return file


def free_user():
    """A user number that no account and no process has."""
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
        if user not in taken:
            return user
    return 65534


def kill_user(user):
    """Kill what is left of a user: for the rare process that escaped from our descendants."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                if os.stat(f"/proc/{name}").st_uid == user:
                    os.kill(int(name), signal.SIGKILL)
            except OSError:
                pass


def processes_of_user():
    user, count = os.getuid(), 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                count += os.stat(f"/proc/{name}").st_uid == user
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
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)
            except OSError:
                pass
