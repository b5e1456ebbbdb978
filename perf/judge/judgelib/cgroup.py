"""A control group for everything that one box runs: a limit of memory and of processes, together.

Version 2 where its controllers can be had, else version 1; None where neither can be written to.
"""
import os
import time

TOP = "/sys/fs/cgroup"


def own_paths():
    """{controller ("" for version 2): path of this process's group}."""
    paths = {}
    try:
        with open("/proc/self/cgroup", encoding="utf-8") as file:
            for line in file:
                _, names, path = line.rstrip("\n").split(":", 2)
                for name in names.split(","):
                    paths[name] = path
    except (OSError, ValueError):
        pass
    return paths


def write(folder, name, value):
    with open(os.path.join(folder, name), "w", encoding="ascii") as file:
        file.write(str(value))


class Group:
    """folders: a process joins each of them."""

    def __init__(self, folders):
        self.folders = folders

    def join(self):
        """This process; called between fork and exec."""
        for folder in self.folders:
            write(folder, "cgroup.procs", 0)

    def remove(self):
        for folder in self.folders:
            for _ in range(50):
                try:
                    os.rmdir(folder)
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)  # the last process is on its way out
                else:
                    break


def version_2(name, memory, processes, paths):
    if not os.path.exists(f"{TOP}/cgroup.controllers"):
        return None
    above = TOP + paths.get("", "/").rstrip("/")
    try:
        write(above, "cgroup.subtree_control", "+memory +pids")
    except OSError:
        pass  # it is so already, or what follows fails
    folder = os.path.join(above, name)
    os.mkdir(folder)
    try:
        write(folder, "memory.max", memory)
        write(folder, "pids.max", processes)
    except OSError:
        os.rmdir(folder)
        raise
    return Group([folder])


def version_1(name, memory, processes, paths):
    made = []
    try:
        for controller, file, value in (("memory", "memory.limit_in_bytes", memory),
                                        ("pids", "pids.max", processes)):
            folder = os.path.join(TOP, controller, paths[controller].lstrip("/"), name)
            os.mkdir(folder)
            made.append(folder)
            write(folder, file, value)
    except (OSError, KeyError):
        Group(made).remove()
        raise
    return Group(made)


def group(name, memory, processes):
    """A new group, or None."""
    for version in (version_2, version_1):
        try:
            made = version(name, memory, processes, own_paths())
        except (OSError, KeyError):
            continue
        if made is not None:
            return made
    return None
