"""How many random cases a suite tries: all of them, or with PW_SHARE=N one in N, and at least one."""

import os


def random_share(count):
    every = int(os.environ.get("PW_SHARE", "1"))
    return -(-count // every) if every > 1 else count
