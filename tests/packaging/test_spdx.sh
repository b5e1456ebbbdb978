#!/bin/sh
# test_spdx.sh - what packaging/spdx says of an archive, a wheel and a package: every file, with the sum
# that sha256sum has; a second time the same bytes.
set -u
. "$PW_SOURCE/tests/support/script.sh"
cd "$scratch" || exit 1
export SOURCE_DATE_EPOCH=1000000000
umask 022 # dpkg-deb refuses a package whose control folder others cannot read

mkdir -p tree/usr/share/x tree/usr/x.libs tree/DEBIAN
echo one >tree/usr/share/one
echo isal >tree/usr/x.libs/libisal-1a2b.so.2
echo other >tree/usr/x.libs/libother-1a2b.so.2
printf 'two\000' >"tree/usr/share/x/two ü"
printf '%s\n' 'Package: x' 'Version: 1' 'Architecture: all' 'Maintainer: x <x@x.x>' 'Description: x' >tree/DEBIAN/control
tar -C tree -czf all.tar.gz usr
(cd tree && python3 -m zipfile -c ../all.whl usr)
made='all.tar.gz all.whl'
if command -v dpkg-deb >/dev/null; then
    dpkg-deb -b tree all.deb >/dev/null
    made="$made all.deb"
fi
find tree/usr -type f -exec sha256sum {} + | sed 's|  tree/|  ./|' | sort >expected
for file in $made; do
    "$PW_SOURCE/packaging/spdx" "$file" || fail "$file"
    python3 -c '
import json, sys
said = json.load(open(sys.argv[1]))
for file in said["files"]:
    print(file["checksums"][1]["checksumValue"], "  ", file["fileName"], sep="")
package = said["packages"][0]
print(package["checksums"][0]["checksumValue"], said["creationInfo"]["created"], file=sys.stderr)
licences = {file["fileName"][-14:]: file["licenseConcluded"] for file in said["files"]}
print(licences["isal-1a2b.so.2"], licences["ther-1a2b.so.2"], licences["/usr/share/one"], file=sys.stderr)
print(package["licenseConcluded"], package["licenseDeclared"], file=sys.stderr)
' "$file.spdx.json" 2>about | sort >found
    cmp expected found || fail "$file: $(cat found), not $(cat expected)"
    printf '%s\n' "$(sha256sum "$file" | cut -d' ' -f1) 2001-09-09T01:46:40Z" 'BSD-3-Clause NOASSERTION MIT' \
        'MIT AND BSD-3-Clause MIT' | cmp - about || fail "$file: $(cat about)"
    cp "$file.spdx.json" before
    "$PW_SOURCE/packaging/spdx" "$file"
    cmp before "$file.spdx.json" || fail "$file: other bytes the second time"
done
exit $failed
