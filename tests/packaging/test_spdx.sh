#!/bin/sh
# test_spdx.sh - what packaging/spdx says of an archive, a wheel and a package: every file, with the sum
# that sha256sum has; a second time the same bytes.
set -u
. "$PW_SOURCE/tests/support/script.sh"
cd "$scratch" || exit 1
export SOURCE_DATE_EPOCH=1000000000

mkdir -p tree/usr/share/x tree/DEBIAN
echo one >tree/usr/share/one
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
print(said["packages"][0]["checksums"][0]["checksumValue"], said["creationInfo"]["created"], file=sys.stderr)
' "$file.spdx.json" 2>about | sort >found
    cmp expected found || fail "$file: $(cat found), not $(cat expected)"
    [ "$(cat about)" = "$(sha256sum "$file" | cut -d' ' -f1) 2001-09-09T01:46:40Z" ] || fail "$file: $(cat about)"
    cp "$file.spdx.json" before
    "$PW_SOURCE/packaging/spdx" "$file"
    cmp before "$file.spdx.json" || fail "$file: other bytes the second time"
done
exit $failed
