#!/bin/sh
# test_download.sh - data/wikipedia/download.sh and demo.sh against archives of our own, and no network.
set -eu
source=$PW_SOURCE
command -v curl >/dev/null 2>&1 || { echo "skipped: curl is not installed"; exit 77; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
name='wikipedia-20070206'
failures=0

# expect STATUS NAME URL: the exit status and a line on stderr if it is not 0.
expect() {
    status=0
    WIKIPEDIA_URL=$3 "$source/data/wikipedia/download.sh" "$2" >out 2>err || status=$?
    if [ "$status" != "$1" ] || { [ "$1" != 0 ] && [ "$(wc -l <err)" != 1 ]; }; then
        echo "FAILED: $2: status $status, expected $1; it said: $(cat out err)"
        failures=$((failures + 1))
    fi
}

# left NAME FILES: what must be in the folder NAME.
left() {
    found=$(cd "$1" 2>/dev/null && find . -type f | sort | sed 's|^[.]/||' | tr '\n' ' ') || true
    if [ "$found" != "$2" ]; then
        echo "FAILED: $1 holds \"$found\", expected \"$2\""
        failures=$((failures + 1))
    fi
}

mkdir "$name" other
{
    echo '%%MatrixMarket matrix coordinate pattern general'
    echo '3566907 3566907 45030389'
    awk 'BEGIN { for (i = 1; i <= 20000; i++) print i, i * 7919 % 9973 + 1 }'
} >"$name/$name.mtx"
tar -czf good.tar.gz "$name"
head -c 20000 good.tar.gz >short.tar.gz
echo '<html>Not found</html>' >page.tar.gz
echo 'something else' >other/readme
tar -czf other.tar.gz other

expect 1 offline http://127.0.0.1:9/graph.tar.gz
left offline ''
expect 0 whole "file://$folder/good.tar.gz"
left whole "$name.mtx "
cmp "whole/$name.mtx" "$name/$name.mtx" || failures=$((failures + 1))
# A redirect to anything but https is not followed.
mkfifo started
python3 - >started <<'END' &
import http.server
class Server(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/good.tar.gz")
            self.end_headers()
        else:
            super().do_GET()
    def log_message(self, *words):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Server)
print(server.server_port, flush=True)
server.serve_forever()
END
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
# The read waits for the line; it fails if the server ends without one.
read -r port <started || { echo "FAILED: the server did not start"; exit 1; }
expect 0 direct "http://127.0.0.1:$port/good.tar.gz"
expect 1 away "http://127.0.0.1:$port/away"
left away ''
expect 0 whole http://127.0.0.1:9/graph.tar.gz # it is there: nothing is fetched
mkdir resumed
cp short.tar.gz "resumed/$name.tar.gz.part"
expect 0 resumed "file://$folder/good.tar.gz"
left resumed "$name.mtx "
cmp "resumed/$name.mtx" "$name/$name.mtx" || failures=$((failures + 1))
mkdir stopped
cp short.tar.gz "stopped/$name.tar.gz.part"
expect 1 stopped http://127.0.0.1:9/graph.tar.gz
left stopped "$name.tar.gz.part " # to be gone on with
expect 1 page "file://$folder/page.tar.gz"
left page ''
expect 1 damaged "file://$folder/short.tar.gz"
left damaged ''
expect 1 other-archive "file://$folder/other.tar.gz"
left other-archive ''

status=0
"$source/demo.sh" --no-such-option >out 2>err || status=$?
if [ "$status" != 2 ] || [ "$(wc -l <err)" != 1 ]; then
    echo "FAILED: demo.sh --no-such-option: status $status"
    failures=$((failures + 1))
fi

[ "$failures" = 0 ]
