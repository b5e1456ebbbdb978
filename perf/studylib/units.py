"""Values with the unit that fits, for every table and every axis: 12.3 us, 1.02 GiB, 1,234,567.

1. A unit belongs to a family: times (ns, us, ms, s), or bytes (B, KiB, MiB, GiB, TiB). A value is
   written in the unit of its family in which it lies between 1 and 1,000.
2. What has no unit of a family is a number with thousands separators; on an axis with k, M and G.
3. Nothing is ever written with an exponent.
"""
import math
import re

TIMES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
BYTES = {unit: 1024.0 ** i for i, unit in enumerate(("B", "KiB", "MiB", "GiB", "TiB"))}
LARGE = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
# Words of a head, or of a column, that are a unit of a family.
WORDS = {"ns": "ns", "us": "us", "ms": "ms", "s": "s", "seconds": "s", "nanoseconds": "ns",
         "microseconds": "us", "bytes": "B", "kib": "KiB", "mib": "MiB"}
MOST_TICS = 9


def family(unit):
    """The units of a family, the smallest first; None for a unit without one."""
    return next((units for units in (TIMES, BYTES) if unit in units), None)


def plain(value, digits=4):
    """A number with that many digits that count, whole from 1,000 on; no exponent, no zeros at the
    end."""
    if value == 0:
        return "0"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def fitting(value, unit, digits=4):
    """The unit of the same family in which a value is from 1 to 1,000 after rounding. A time below a
    nanosecond, or above 1,000 s, is in the last one."""
    units = family(unit)
    most = 1024 if units is BYTES else 1000
    size = abs(value) * units[unit]
    for name, factor in units.items():
        if size == 0:
            return unit
        if float(f"{size / factor:.{digits}g}") < most:
            return name
    return name


def text(value, unit="", digits=4):
    """A value of that unit for people; "-" for None."""
    if value is None:
        return "-"
    units = family(unit)
    if units is None:
        return f"{plain(value, digits)} {unit}".rstrip()
    name = fitting(value, unit, digits)
    return f"{plain(value * units[unit] / units[name], digits)} {name}"


def seconds(value):
    return text(value, "s")


# Columns of data --------------------------------------------------------------------------------

def of_column(name):
    """The unit of a column of a CSV, by its name: allocate_ms, ns_per_malloc, wall_seconds; "" for one
    without a unit of a family."""
    return next((WORDS[word] for word in re.split("[_ ]", name) if word in WORDS), "")


def bare(head):
    """The head of such a column without its unit, which every cell has: "allocate ms" is "allocate",
    "ns per free" is "time per free"."""
    words = head.split(" ")
    at = next((i for i, word in enumerate(words) if word.rstrip(",").lower() in WORDS), None)
    if at is None:
        return head
    unit = WORDS[words[at].rstrip(",").lower()]
    end = "," if words[at].endswith(",") else ""
    if at == 0:
        words[0] = ("time" if unit in TIMES else "memory") + end
    else:
        del words[at]
        words[at - 1] = words[at - 1].rstrip(",") if at == len(words) else words[at - 1]
    return " ".join(words)


# Axes -------------------------------------------------------------------------------------------

def log_tics(low, high):
    """Numbers for a logarithmic axis: 1, 2 and 5 of each power of ten; of a long axis the powers
    alone, of a short one all digits."""
    steps = (1,) if high / low >= 1000 else (1, 2, 5) if high / low >= 10 else range(1, 10)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    every = [step * 10.0 ** power for power in powers for step in steps]
    within = [tic for tic in every if low <= tic * (1 + 1e-9) and tic <= high * (1 + 1e-9)]
    return thinned(within) if len(within) > 1 else [tic for tic in linear_tics(low, high) if tic > 0]


def binary_tics(low, high):
    """Powers of two for a logarithmic axis of bytes."""
    powers = range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)
    return thinned([2.0 ** power for power in powers])


def thinned(tics):
    return tics[::-(-len(tics) // MOST_TICS) or 1]


def linear_tics(low, high):
    """From 5 to 9 numbers, apart by 1, 2 or 5 of a power of ten; the last is the first that reaches
    the highest value."""
    span = (high - low) or abs(high) or 1
    power = 10.0 ** math.floor(math.log10(span / 4))
    step = next(step * power for step in (1, 2, 5, 10) if span / (step * power) <= MOST_TICS - 2)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [i * step for i in range(first, max(last, first + 1) + 1)]


def counted(value):
    """A count on an axis: 500, 20k, 1.5M."""
    name = next((name for name, factor in reversed(LARGE.items()) if abs(value) >= factor), "")
    return plain(value / LARGE[name]) + name


def axis(low, high, unit="", log=False):
    """[(label, position)] of an axis for values of that unit. On a linear axis all labels have the
    unit of the last one."""
    units = family(unit)
    if units is None:
        return [(counted(at), at) for at in (log_tics if log else linear_tics)(low, high)]
    if log:
        scale = units[unit] if units is BYTES else 1.0
        every = [at / scale for at in binary_tics(low * scale, high * scale)] \
            if units is BYTES else log_tics(low, high)
        return [(text(at, unit), at) for at in every]
    name = fitting(max(abs(low), abs(high)), unit)
    factor = units[unit] / units[name]
    return [(f"{plain(at)} {name}" if at else "0", at / factor)
            for at in linear_tics(low * factor, high * factor)]
