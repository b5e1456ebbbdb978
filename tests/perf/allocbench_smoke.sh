#!/bin/sh
# allocbench_smoke.sh - every experiment of allocbench, small, in every format; and what it refuses.
# Usage: allocbench_smoke.sh [ALLOCBENCH]
# shellcheck disable=SC2086 # $few, $graph and $arguments are several words
set -u
. "$PW_SOURCE/tests/support/script.sh"
bench=${1:-$PW_BUILD/bin/allocbench}

run() { # run FILE ARGUMENTS...: must succeed and say something
    out=$scratch/$1
    shift
    "$bench" "$@" >"$out" 2>"$scratch/stderr" || fail "$* : $(cat "$scratch/stderr")"
    [ -s "$out" ] || fail "$* printed nothing"
}

joined() { # joined FILE: its lines as one
    tr '\n' ' ' <"$scratch/$1"
}

refuse() { # refuse STATUS TEXT ARGUMENTS...
    status=$1
    text=$2
    shift 2
    timeout 600 "$bench" "$@" >"$scratch/stdout" 2>"$scratch/stderr"
    got=$?
    [ $got -eq "$status" ] || fail "$* ended with $got, not $status"
    grep -q -- "$text" "$scratch/stderr" || fail "$* said: $(cat "$scratch/stderr")"
}

few="--runs 1 --alloc malloc,pool,slab,first-fit,block"
graph="--graph generate:nodes=3000 --pairs random:9"
for format in text csv; do
    run sizes.$format sizes $few --counts 1,3 --format $format
    run exhaustion.$format exhaustion $few --counts 1 --format $format
    run worst-case.$format worst-case $few --counts 1 --format $format
    run purge.$format purge $few --allocations 5k --pause 0 --format $format
    run replay.$format replay $few $graph --format $format --workloads bfs
    run pointer-wars.$format pointer-wars $few $graph --format $format
    run distributions.$format distributions --runs 1 --rounds 20 --format $format \
        --alloc malloc,first-fit:heap=512M
    run queue.$format queue $few --depth 2k --repeats 1 --format $format
    run ageing.$format ageing $few --depth 2k --repeats 3 --format $format
done
printf '# size count\n\n64 10\n100 20\n' >"$scratch/histogram"
run estimate.text estimate $few --histogram "$scratch/histogram" --count 1M
grep -q "1,000,000" "$scratch/estimate.text" || fail "estimate does not say for how many"
grep -q measured "$scratch/estimate.text" && fail "estimate measures a distribution that nobody named"
printf 'size_from,size_to,uniform\n64,127,10\n' >"$scratch/histogram"
run estimate.text estimate $few --rounds 20 --histogram "$scratch/histogram"
grep -q measured "$scratch/estimate.text" && fail "estimate measures other sizes of the same name"
printf 'size_from,size_to,uniform\n4,524287,10\n' >"$scratch/histogram"
run estimate.text estimate $few --rounds 20 --histogram "$scratch/histogram"
grep -q measured "$scratch/estimate.text" || fail "estimate does not measure the distribution itself"

# One run has no spread: no column in text, an empty cell in CSV.
joined exhaustion.text | grep -q "; one run, which has no spread;" || fail "one run is not told"
grep -q -- '+-%' "$scratch/exhaustion.text" && fail "one run has a spread in text"
awk -F, 'NR == 2 { found = $4 == "" } END { exit !found }' "$scratch/exhaustion.csv" ||
    fail "one run has a spread in CSV"
run two.text exhaustion --runs 2 --alloc malloc --counts 1
grep -q -- '+-%' "$scratch/two.text" || fail "two runs have no spread in text"
head -n 5 "$scratch/sizes.text" | awk 'length > 80 { exit 1 }' || fail "a long line in sizes"
run two.csv queue --runs 2 --depth 2k --repeats 1 --alloc slab --format csv
awk -F, 'NR == 2 { found = $3 != "" && $5 != "" } END { exit !found }' "$scratch/two.csv" ||
    fail "two runs have no spread"

# A library calls its own malloc: how often is not known, and the table says so.
run own.csv pointer-wars --runs 1 $graph --searches 1 --alloc pool,lib:c --format csv
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "malloc_calls" || $i == "free_calls") at[i] }
    NR == 2 { for (i in at) known += $i != "" } NR == 3 { for (i in at) known += 4 * ($i != "") }
    NR == 3 { exit known != 2 }' "$scratch/own.csv" || fail "the calls of lib:c: $(cat "$scratch/own.csv")"
run own.text pointer-wars --runs 1 $graph --searches 1 --alloc pool,lib:c
joined own.text | grep -q 'lib:c: its malloc and free calls are not known, because it calls its own' ||
    fail "why the calls of lib:c are not known is not told"

# A request that is refused in the microbenchmark alone: its figures are not known, the others are.
run refused.text pointer-wars --runs 1 --graph generate:nodes=2k --searches 1 \
    --alloc "malloc,fault(slab,at=9000)"
grep -q '^fault(slab,at=9000) .*[0-9]  *-  *-$' "$scratch/refused.text" ||
    fail "a refused node: $(cat "$scratch/refused.text")"

# The article's edges examined are the nodes visited, not the pushes.
run wars.out pointer-wars --runs 1 $graph --searches 9 --alloc slab --output "$scratch/wars"
[ "$(cut -d, -f1 "$scratch/wars/pointer-wars-searches.csv" | tr '\n' ' ')" = "search 1 2 3 9 " ] ||
    fail "the chosen searches: $(cut -d, -f1 "$scratch/wars/pointer-wars-searches.csv")"
"${bench%/*}/bfs" generate:nodes=3000 random:9 --alloc slab --format csv >"$scratch/searches"
for name in visited pushed; do
    column() { # column FILE: the first value below the name
        awk -F, -v name=$name 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
            NR == 2 { print at ? $at : "none" }' "$1"
    }
    [ "$(column "$scratch/wars/pointer-wars-searches.csv")" = "$(column "$scratch/searches")" ] ||
        fail "$name of search 1: $(column "$scratch/wars/pointer-wars-searches.csv")"
done

# The article's own CSV, beside the other files.
article() { # article EXPERIMENT ARGUMENTS...: into a file "article"
    run out "$@" --output "$scratch/articles"
    mv "$scratch/articles/$1.article.csv" "$scratch/article" || fail "$1 has no article form"
}

article sizes --runs 1 --alloc malloc --counts 1,2
head -n 1 "$scratch/article" | grep -q '^Action,Num Allocations,MEM_1B,MEM_4B,.*,MEM_32MB$' ||
    fail "the head of sizes' article form"
[ "$(grep -vc '^#' "$scratch/article")" -eq 5 ] || fail "sizes' article form has not five lines"
sed -n 2p "$scratch/article" | grep -Eq '^Allocate,1(,[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{4}){25}$' ||
    fail "a line of sizes' article form"
grep -Eq '^# ms: Allocate,1(,[0-9]+\.[0-9]{6}){25}$' "$scratch/article" ||
    fail "times below the resolution have no more digits"
article exhaustion --runs 1 --alloc malloc,lib:nosuchlibrary --counts 1,2
[ "$(sed -n 's/,[0-9:.]*$//p' "$scratch/article" | grep -v '^#' | tr '\n' ' ')" = \
    "Allocate,1 Free,1 Allocate,2 Free,2 " ] || fail "the order of exhaustion's article form"
grep -q '^# lib:nosuchlibrary is left out: .*not installed$' "$scratch/article" ||
    fail "the article form does not say who is left out"
grep -q '^Action,Num Repetitions,Time to exhaust 32MB using 4KB per allocation$' \
    "$scratch/article" || fail "the head of exhaustion's article form"
article worst-case --runs 1 --alloc block --counts 1 --as-published
grep -q '^Action,Num Repetitions,Worst case allocation time for an 8KB block$' "$scratch/article" ||
    fail "the head of worst-case's article form"

article worst-case --runs 1 --alloc malloc,block --counts 1
grep -q '^# malloc is left out: it cannot be confined' "$scratch/article" ||
    fail "worst-case's article form does not say why malloc is left out"
[ "$(grep -c '^Action' "$scratch/article")" -eq 1 ] || fail "malloc has lines in worst-case"

run queue.out queue --runs 1 --depth 1k --repeats 1 --alloc slab --output "$scratch/results"
for file in queue-deep.csv queue-shallow.csv queue.about.csv queue.heads.csv; do
    [ -s "$scratch/results/$file" ] || fail "$file was not written"
done
run resident.out purge --runs 1 --allocations 100k --pause 0 --alloc malloc \
    --output "$scratch/results"
[ -n "${PW_SANITIZE:-}" ] || # the code that is run for the first time is not the allocator's
    awk -F, 'END { exit 2 * $8 > 3 * $7 }' "$scratch/results/purge-summary.csv" ||
    fail "resident memory of malloc: $(tail -n 1 "$scratch/results/purge-summary.csv")"
# Known fragmentation: 4 KiB per block, of 1 to 512 bytes; and every byte ever asked for, to 16.
run fragmented.out purge --runs 1 --allocations 40k --pause 0 --output "$scratch/fragmented" \
    --alloc block:small=no,bump:touch=no
[ -n "${PW_SANITIZE:-}" ] || [ ! -r /proc/self/smaps_rollup ] ||
    awk -F, -v wrong=2 '/^block/ { wrong -= $(NF - 1) > 15 && $(NF - 1) < 17 }
        /^bump/ { held = 40000 * 264 / 1024; wrong -= $4 > 0.95 * held && $4 < 1.1 * held }
        END { exit wrong }' "$scratch/fragmented/purge-memory.csv" ||
    fail "fragmentation: $(cat "$scratch/fragmented/purge-memory.csv")"
[ "$(wc -l <"$scratch/fragmented/purge-memory-times.csv")" -eq 129 ] ||
    fail "memory is not looked at 64 times: $(cat "$scratch/fragmented/purge-memory-times.csv")"
# What malloc holds: as a program of its own counts that makes the same requests, to 12 KiB or 1 %.
if [ -z "${PW_SANITIZE:-}" ] && [ -r /proc/self/smaps_rollup ] && [ -x "$PW_BUILD/tests/held_alone" ]; then
    run held.out distributions --runs 1 --alloc malloc,slab --rounds 40 --quiet --output "$scratch/held"
    run held.out purge --runs 1 --alloc malloc,slab --allocations 20k --pause 0 --quiet \
        --output "$scratch/held"
    for sizes in uniform exponential log-normal; do
        "$PW_BUILD/tests/held_alone" 40 $sizes
    done >"$scratch/alone"
    "$PW_BUILD/tests/held_alone" purge 20000 >>"$scratch/alone"
    cat "$scratch/held/distributions-memory.csv" "$scratch/held/purge-memory.csv" |
        awk -F, '$1 == "malloc" { print $2 "," $3 "," $4 }' | paste -d , - "$scratch/alone" |
        tr ' ' , | awk -F, '{ held = $(NF - 2); live = $(NF - 3); alone = $NF; off = held - alone
            allowed = alone / 100 > 12 ? alone / 100 : 12
            if (off > allowed || -off > allowed || held < live || live != $(NF - 1)) {
                print; wrong = 1 } }
            END { exit wrong || NR != 4 }' >"$scratch/differs" ||
        fail "malloc holds otherwise than a program of its own counts: $(cat "$scratch/differs")"
fi
run full.text purge --runs 1 --allocations 70k --pause 0 --fraction 0.00001 --alloc malloc
grep -q "left out" "$scratch/full.text" && fail "65,536 blocks: a purge frees less than one"
run published.text replay --as-published $few $graph --workloads bfs
grep -q '^bfs *first-fit32:as-published=yes,heap=64M ' "$scratch/published.text" ||
    fail "replay --as-published does not record on the article's heap"
# Two million requests of the purging workload, all released; at most 2,048 are alive, of 512 bytes.
run purged.text replay --runs 1 --workloads purge --alloc malloc --quiet
awk '$1 == "purge" && $2 ~ /:.*heap=/ { rows++; wrong += $3 != "4,000,000" || $7 <= 0 || $7 > 2 }
    END { exit rows != 2 || wrong }' "$scratch/purged.text" ||
    fail "the purging workload: $(cat "$scratch/purged.text")"
run refused.text exhaustion --runs 1 --counts 1 --alloc "malloc,fault(slab,at=5000)"
joined refused.text | grep -q "fault(slab,at=5000) is left out" ||
    fail "a refused block in the middle of an exhaustion: $(cat "$scratch/refused.text")"
run worst.text worst-case --runs 1 --counts 1 --alloc malloc,block
grep -q "malloc is left out" "$scratch/worst.text" || fail "worst-case does not leave malloc out"
run small.text queue --runs 1 --depth 5k --repeats 1 --alloc first-fit:heap=64K
grep -q "was too small; enlarged" "$scratch/small.text" || fail "a small heap is not reported"
run missing.text queue --runs 1 --depth 1k --repeats 1 --alloc slab,lib:nosuchlibrary
grep -q "lib:nosuchlibrary is left out" "$scratch/missing.text" || fail "a missing library"
"${bench%/*}/bfs" generate:nodes=500 random:1 --alloc "record(first-fit,file=$scratch/run.script)" \
    --quiet >"$scratch/stdout" || fail "a search cannot be recorded"
run other.text queue --runs 2 --depth 2k --repeats 1 --alloc "slab,replay:file=$scratch/run.script"
[ "$(joined other.text | grep -o "left out: it diverged: it replays another run" | wc -l)" -eq 1 ] ||
    fail "a replay of another run: $(cat "$scratch/other.text")"
run other.text sizes --runs 1 --counts 1 --alloc "slab,replay:file=$scratch/run.script"
joined other.text | grep -q "left out: it diverged" || fail "a replay of another run, by size"

refuse 1 'nowhere.txt: cannot be opened' estimate $few --histogram nowhere.txt --count 3
refuse 1 '/dev/null: holds no count' estimate $few --histogram /dev/null --count 3
for line in "-64 10" "64 -10"; do
    echo "$line" >"$scratch/negative"
    refuse 1 "negative:1: expected a size and a count, found \"$line\"" estimate $few \
        --histogram "$scratch/negative"
done
refuse 2 '^allocbench: --allocations takes a number from 1000 ' purge --allocations 0M
for zero in 0 0k 0M; do # checked after the suffix: a batch of none never ends
    refuse 2 '^allocbench: --depth takes' queue --depth $zero
    refuse 2 '^allocbench: --batch takes' purge --batch $zero
    refuse 2 '^allocbench: --interval takes' purge --interval $zero
    refuse 2 '^allocbench: --counts: expected' sizes --counts 1,$zero
done
printf '1 2\n2 3\n' >"$scratch/graph.txt"
for spec in "record(first-fit,file=$scratch/graph.txt)" "record(bump,file=$scratch/graph.txt)"; do
    refuse 1 'graph.txt: it is an input file' pointer-wars --graph "$scratch/graph.txt" \
        --pairs random:1 --runs 1 --alloc "$spec"
done
[ "$(cat "$scratch/graph.txt")" = "$(printf '1 2\n2 3')" ] || fail "an input was written over"
script=$scratch/run.script
echo script >"$script"
for list in "replay:file=$script,record(first-fit,file=$script)" \
    "plugin:$script,record(first-fit,file=$script)" "record(bump,file=$script),lib:$script"; do
    for experiment in queue check; do
        refuse 1 'run.script: it is an input file' $experiment --runs 1 --alloc "$list"
    done
done
refuse 1 'run.script: another output is the same file' queue --runs 1 \
    --alloc "record(first-fit,file=$script),record(bump,file=$script)"
[ "$(cat "$script")" = script ] || fail "a script was written over"
mkdir "$scratch/in"
refuse 1 'estimate.about.csv: another output is the same file' estimate --runs 1 --rounds 20 --output "$scratch/in" \
    --histogram "$scratch/histogram" --alloc "record(first-fit,file=$scratch/in/estimate.about.csv)"
rm "$scratch/in/estimate.about.csv"
cp "$scratch/histogram" "$scratch/in/estimate.csv"
refuse 1 'estimate.csv: it is an input file' estimate --runs 1 --rounds 20 --alloc malloc \
    --histogram "$scratch/in/estimate.csv" --output "$scratch/in"
cmp -s "$scratch/histogram" "$scratch/in/estimate.csv" || fail "a histogram was written over"
refuse 2 '^allocbench: --format knows no' sizes --format x
refuse 2 "which experiment" --runs 1
refuse 2 "no experiment" nonsense
refuse 2 "did you mean sizes?" size
refuse 2 "runs" queue --runs 0
refuse 1 "not installed" queue --alloc lib:nosuchlibrary
refuse 2 "character 1" queue --alloc nosuchallocator
refuse 2 "slab has no option" queue --alloc malloc,slab:nosuchoption=1
refuse 2 "one region" queue --alloc 'record(malloc)'
refuse 2 "no allocator is named" queue --alloc=
refuse 1 "histogram" estimate
for list in nonsense bfs,nonsense "bfs,,queue" ""; do # one that is known does not make up for it
    refuse 1 "workloads takes" replay --runs 1 --alloc slab $graph --workloads "$list"
done
refuse 1 "cannot be opened" distributions --rounds 10 --sizes /nonexistent/sizes
# A signal to the program also ends the measuring child, which has minutes to go.
"$bench" purge --runs 1 --alloc malloc --allocations 50k --pause 1M >"$scratch/stdout" 2>&1 &
until grep -qs "^PPid:.$!$" /proc/[0-9]*/status; do # until it has a child
    kill -0 $! || break
    sleep 0.1
done
kill $!
wait $!
[ $? -eq 143 ] || fail "SIGTERM did not end a run"
"$bench" --help | grep -q "allocbench EXPERIMENT" || fail "--help"
# Output lost on a full disk is reported, even if all of it fits one buffer.
for arguments in --help --version --list-allocs "exhaustion --runs 1 --alloc slab --counts 1"; do
    "$bench" $arguments >/dev/full 2>"$scratch/stderr"
    got=$?
    [ $got -eq 1 ] || fail "$arguments on a full disk ended with $got"
    grep -q "^allocbench: cannot write standard output: No space left" "$scratch/stderr" ||
        fail "$arguments on a full disk said: $(cat "$scratch/stderr")"
done
exit $failed
