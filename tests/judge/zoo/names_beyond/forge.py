"""Writes the symbol of an IFUNC into room, and lets a relocation name it: forge.py LIBRARY, of x86-64."""
import struct
import subprocess
import sys

with open(sys.argv[1], "rb") as file:
    data = bytearray(file.read())
start, count = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<H", data, 60)[0]
sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + 64 * number) for number in range(count)]
symbols = next(row for row in sections if row[1] == 11)
relocations = next(row for row in sections if row[1] == 4)
names = {row.split()[2]: int(row.split()[0], 16) for row in
         subprocess.check_output(["nm", sys.argv[1]], text=True).splitlines() if len(row.split()) == 3}
place = names["room"] + (symbols[3] - names["room"]) % 24
home = next(row for row in sections if row[1] == 1 and row[3] <= place < row[3] + row[5])
struct.pack_into("<IBBHQQ", data, home[4] + place - home[3], 0, 10, 0, 1, names["early"], 0)
number = (place - symbols[3]) // 24
for at in range(relocations[4], relocations[4] + relocations[5], 24):
    if struct.unpack_from("<Q", data, at + 8)[0] & 0xFFFFFFFF == 6:  # of a weak name that nobody has
        struct.pack_into("<Q", data, at + 8, number << 32 | 6)
        break
with open(sys.argv[1], "wb") as file:
    file.write(data)
