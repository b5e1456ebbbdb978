"""An AArch64 machine without hardware: qemu-system-aarch64, Debian's kernel, and a root of one file.

1. ./setup.sh pmu unpacks Debian's packages for arm64 into build/pmu-root and installs nothing of them.
2. The root filesystem is an archive that the kernel unpacks into memory: busybox, perf, Callgrind, the
   cross-built programs, and the libraries that these name.
3. The machine runs guest.sh, prints on its console, and switches itself off. Its clock is the number of
   instructions (-icount), so it does the same on a busy host, and counts instructions exactly.
"""
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEBIAN = ROOT / "build" / "pmu-root"
LIBRARIES = ROOT / "build" / "aarch64-root"
BOOT_SECONDS = 400  # of processor time; some 30 are usual
SUITES = ("test_counters", "test_doctor")
VALGRIND = "usr/libexec/valgrind"
USERS = {"etc/passwd": "root:x:0:0::/:/bin/sh\nuser:x:1000:1000::/tmp:/bin/sh\n",
         "etc/group": "root:x:0:\nuser:x:1000:\n"}


class Missing(Exception):
    """What the machine is made of is not here."""


def needed(path):
    """The names of the libraries that a program or a library asks for."""
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def only(folder, pattern):
    found = sorted(folder.glob(pattern))
    if not found:
        raise Missing(f"{folder} has no {pattern} (./setup.sh pmu)")
    return found[-1]


class Files:
    """The files of the root, and the archive of them ("newc", as the kernel reads it)."""

    def __init__(self, build):
        self.content = {}
        self.folders = [build / "lib"] + [base / name / "aarch64-linux-gnu" for base in (
            DEBIAN, LIBRARIES) for name in ("usr/lib", "lib")]

    def add(self, name, path):
        self.content[name] = path.read_bytes()

    def add_program(self, name, path):
        """A program and the libraries that it needs, and these need."""
        self.add(name, path)
        for library in needed(path):
            if f"lib/{library}" not in self.content:
                found = [folder / library for folder in self.folders if (folder / library).exists()]
                if not found:
                    raise Missing(f"{path} needs {library}")
                self.add_program(f"lib/{library}", found[0])

    def write(self, path):
        folders = {str(parent) for name in self.content for parent in pathlib.PurePath(name).parents}
        entries = [(name, 0o40755, b"", 0) for name in sorted(folders | {"proc", "sys", "dev", "tmp"})
                   if name != "."]
        entries.append(("dev/console", 0o20600, b"", 5 << 8 | 1))
        entries += [(name, 0o100755, data, 0) for name, data in self.content.items()]
        with open(path, "wb") as out:
            for number, (name, mode, data, device) in enumerate(entries + [("TRAILER!!!", 0, b"", 0)]):
                fields = (number + 1, mode, 0, 0, 1, 0, len(data), 0, 0, device >> 8, device & 0xff,
                          len(name) + 1, 0)
                head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
                out.write(head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4))


def make_root(build, path):
    """Write the archive of the root filesystem for the programs of a build."""
    files = Files(build)
    files.add_program("bin/busybox", only(DEBIAN, "*bin/busybox"))
    files.add_program("bin/perf", only(DEBIAN, "usr/bin/perf*"))
    files.add("bin/valgrind", only(DEBIAN, "usr/bin/valgrind.bin"))
    for part in ("callgrind-arm64-linux", "vgpreload_core-arm64-linux.so", "default.supp"):
        files.add(f"{VALGRIND}/{part}", only(DEBIAN, f"{VALGRIND}/{part}"))
    files.add_program("bin/bfs", build / "bin" / "bfs")
    for suite in SUITES:
        files.add_program(f"bin/{suite}", build / "tests" / suite)
    files.content["init"] = (HERE / "guest.sh").read_bytes()
    for name, text in USERS.items():
        files.content[name] = text.encode()
    files.write(path)


def kernel():
    return only(DEBIAN, "boot/vmlinuz-*")


def boot(root, cpu, plan):
    """Run a plan on a processor: {part: (status, output)}."""
    emulator = shutil.which("qemu-system-aarch64")
    if emulator is None:
        raise Missing("qemu-system-aarch64 is not installed (./setup.sh pmu)")
    command = [emulator, "-M", "virt", "-cpu", cpu, "-icount", "shift=1,sleep=off", "-nic", "none", "-m",
               "1024", "-nographic", "-no-reboot", "-kernel", kernel(), "-initrd", root, "-append",
               f"console=ttyAMA0 quiet panic=-1 plan={plan}"]
    with tempfile.TemporaryFile() as console:
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=console,
                           stderr=subprocess.STDOUT, timeout=10 * BOOT_SECONDS, check=False,
                           preexec_fn=lambda: resource.setrlimit(
                               resource.RLIMIT_CPU, (BOOT_SECONDS, resource.RLIM_INFINITY)))
        except subprocess.TimeoutExpired:
            pass  # the console says where it stayed
        console.seek(0)
        text = console.read().decode(errors="replace").replace("\r", "")
    if "\n@done\n" not in text:
        raise AssertionError(f"the machine with {cpu} stopped early:\n{text[-4000:]}")
    return {name: (int(status), output) for name, output, status in re.findall(
        r"^@begin (\S+)\n(.*?)^@end \1 (\d+)$", text, re.DOTALL | re.MULTILINE)}
