"""A control group for everything that one box runs: a limit of memory and of processes, together.

Version 2, where its controllers can be had; None where they cannot be written to.
"""
import os
import time

TOP = "/sys/fs/cgroup"


def own_path():
    """Of this process's group."""
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        return next(line.rstrip("\n")[3:] for line in file if line.startswith("0::"))


def write(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="ascii") as file:
        file.write(str(value))


class Group:
    def __init__(self, folder):
        self.folder = folder

    def join(self):
        """This process; called between fork and exec."""
        write(self.folder, "cgroup.procs", 0)

    def remove(self):
        for _ in range(50):
            try:
                os.rmdir(self.folder)
            except FileNotFoundError:
                break
            except OSError:
                time.sleep(0.01)  # the last process is on its way out
            else:
                break


def group(name, memory, processes):
    """A new group, or None."""
    if not os.path.exists(f"{TOP}/cgroup.controllers"):
        return None
    try:
        above = TOP + own_path().rstrip("/")
        folder = os.path.join(above, name)
        try:
            write(above, "cgroup.subtree_control", "+memory +pids")
        except OSError:
            pass  # it is so already, or what follows fails
        os.mkdir(folder)
    except (OSError, StopIteration):
        return None
    made = Group(folder)
    try:
        write(folder, "memory.max", memory)
        write(folder, "pids.max", processes)
    except OSError:
        made.remove()
        return None
    return made
