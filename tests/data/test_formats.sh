#!/bin/sh
# test_formats.sh - formats and streams as a user types them: standard input, pipes, compressed files.
set -u
bin=$PW_BUILD/bin
sample=$PW_SOURCE/data/sample
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() { echo "test_formats: $*" >&2; cat "$work/err" >&2; exit 1; }

# says EXIT PATTERN COMMAND...: the command ends with that status and says that on standard error.
says() {
    status=$1 pattern=$2
    shift 2
    "$@" >out 2>err
    [ $? -eq "$status" ] || fail "not exit $status: $*"
    grep -q -- "$pattern" err || fail "no \"$pattern\" from: $*"
}

# answers INPUT COMMAND...: with that standard input, three hops.
answers() {
    input=$1
    shift
    hops=$("$@" --format csv --counters none <"$input" 2>err |
        awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "hops") c = i; next } { print $c; exit }')
    [ "$hops" = 3 ] || fail "hops $hops from: $*"
}

"$bin/graph-convert" --quiet "$sample/borders.tsv" b.pwg 2>err || fail "graph-convert"
gzip -k b.pwg
answers b.pwg "$bin/bfs" - --from Laos --to Poland
answers b.pwg.gz "$bin/bfs" - --from Laos --to Poland
answers /dev/null "$bin/bfs" b.pwg.gz --from Laos --to Poland
# shellcheck disable=SC2002 # a pipe, not a file
cat b.pwg | answers /dev/stdin "$bin/bfs" - --from Laos --to Poland
answers "$sample/borders-pairs.tsv" "$bin/bfs" "$sample/borders.tsv" -
answers "$sample/borders.tsv" "$bin/bfs" - "$sample/borders-pairs.tsv"
head -c 9000 b.pwg >cut.pwg
says 1 'standard input: truncated: the snapshot has 9000 of its' sh -c "'$bin/graph-info' - <cut.pwg"
says 1 'standard input: the snapshot needs more than the 5.0 KiB allowed' \
    sh -c "'$bin/graph-info' --memory-limit 5k - <b.pwg"
says 1 'standard input: a snapshot is used as it was made' sh -c "'$bin/graph-info' --reverse - <b.pwg"

says 2 'standard input cannot be both GRAPH and PAIRS' "$bin/bfs" - -
says 2 'standard input cannot be both GRAPH and --names' "$bin/bfs" - random:1 --names -
says 2 'standard input cannot be both GRAPH and --names' "$bin/graph-info" - --names=-

# A byte-order mark, plain and compressed, before comments, edges, pairs and other formats.
printf '\357\273\277' >mark
cat mark "$sample/borders.tsv" >marked.tsv
cat mark "$sample/borders-pairs.tsv" | gzip >marked-pairs.tsv.gz
answers /dev/null "$bin/bfs" marked.tsv marked-pairs.tsv.gz
printf 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]' >a.gml
cat mark a.gml | gzip >marked.gml.gz
"$bin/graph-info" marked.gml.gz 2>err | grep -q '^edges  *2$' || fail "marked.gml.gz"

# Every model that is generated, written and asked by its specification.
hops=$("$bin/bfs" generate:grid,rows=10,columns=20 --from 1 --to 200 --format csv --counters none 2>err |
    awk -F , 'NR == 2 { print $6 }')
[ "$hops" = 28 ] || fail "hops of the grid: $hops"
"$bin/graph-convert" --to=matrix-market generate:grid,rows=10,columns=20 - 2>err |
    "$bin/graph-info" - 2>err | grep -q '^edges  *740$' || fail "the grid is not 740 edges"
"$bin/graph-convert" generate:kronecker,scale=10 k.graphml >out 2>err || fail "kronecker"
"$bin/graph-convert" generate:uniform,nodes=1k u.el >out 2>err || fail "uniform"
[ "$(grep -vc '#' u.el)" -eq 16000 ] || fail "the uniform graph is not 16 edges per node"
edges=$("$bin/graph-info" generate:grid,rows=10,columns=20 2>err | awk '$1 == "edges" && NF == 2 { print $2 }')
[ "$edges" = 740 ] || fail "graph-info of a specification: $edges edges"
"$bin/graph-convert" --quiet --with-reverse generate:kronecker,scale=8 k.pwg 2>err || fail "graph-convert"
says 1 'expected scale=N' "$bin/graph-info" generate:kronecker,nodes=5
says 2 'generate:grid,rows=2,columns=2 is not a file' "$bin/graph-info" --reverse generate:grid,rows=2,columns=2
says 2 'expected rows=N, columns=N, found "seed=1"' "$bin/bfs" generate:grid,seed=1 random:1

# Of a tar with one graph among other files, the graph.
echo "about a.gml" >README
tar cf a.tar README a.gml && gzip -f a.tar
"$bin/graph-info" a.tar.gz 2>err | grep -q '^edges  *2$' || fail "a.tar.gz"
printf '{"a": 1}' >a.json
says 1 'a.json: is JSON, which is not read' "$bin/bfs" a.json random:1
says 2 'gml' "$bin/graph-info" --input-format=gmx a.gml
