#!/bin/busybox sh
# shellcheck shell=dash
# guest.sh - the first process of the emulated machine: runs the parts of a plan and switches off.
#
# 1. The kernel's command line names the plan: plan=full or plan=short.
# 2. Each part prints "@begin NAME", its output, and "@end NAME STATUS"; machine.py reads them, and
#    the tests in `run` judge them. Nothing is judged here.
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /tmp
chmod 1777 /tmp
dmesg -n 1
# Addresses are the same in every run, so that runs are equal to the instruction.
echo 0 >/proc/sys/kernel/randomize_va_space

small='generate:nodes=2k random:6'
page='generate:nodes=10k random:10' # as in the simulated table of counters/README.md
groups='memory core pointer-wars'

# part NAME COMMAND...
part() {
    name=$1
    shift
    echo "@begin $name"
    "$@" 2>&1
    status=$?
    echo
    echo "@end $name $status"
}

# bfs in JSON or CSV on the small graph: search NAME OPTION...
search() {
    name=$1
    shift
    # shellcheck disable=SC2086 # graph and pairs
    part "$name" bfs $small --quiet --progress=never "$@"
}

# as_user COMMAND: without root's rights.
as_user() {
    su -s /bin/sh user -c "$1"
}

# The searches of the table, counted by bfs; and by perf, which counts the whole process.
with_perf() {
    # shellcheck disable=SC2086 # graph and pairs
    perf stat -x, -e instructions:u -o /tmp/perf bfs $page --quiet --progress=never \
        --format=json --output=/tmp/report --counters=instructions "$@"
    cat /tmp/report
    echo "@perf"
    cat /tmp/perf
}

# How many events a process has open.
events_of() {
    for descriptor in /proc/"$1"/fd/*; do
        readlink "$descriptor"
    done | grep -c perf_event
}

# while_held COUNT: the small searches while another program holds COUNT of the processor's counters.
while_held() {
    count=$1 events='' number=0
    while [ "$number" -lt "$count" ]; do
        events=$events,r4$number:D # pinned to the processor
        number=$((number + 1))
    done
    perf stat -a -e "${events#,}" sleep 10000 >/tmp/holder 2>&1 &
    holder=$!
    until [ "$(events_of "$holder")" = "$count" ]; do
        kill -0 "$holder" || {
            cat /tmp/holder
            return 1
        }
        sleep 0.01
    done
    # Its events count from when it starts the command that it was given.
    until grep -qs "^PPid:.$holder$" /proc/[0-9]*/status; do
        sleep 0.01
    done
    # shellcheck disable=SC2086 # graph and pairs
    bfs $small --quiet --progress=never --format=json --counters=pointer-wars --alloc=slab
    status=$?
    kill -9 "$holder"
    wait "$holder" 2>/dev/null
    return $status
}

# A run that Ctrl-C ends.
interrupted() {
    set -m # else a shell without a terminal lets its children ignore SIGINT
    bfs "${small% *}" random:100000 --quiet --progress=always --format=json --counters=core \
        >/tmp/report 2>/tmp/progress &
    until grep -q "search [1-9]" /tmp/progress; do
        kill -0 $! || break
        sleep 0.01
    done
    kill -INT $!
    wait $!
    status=$?
    cat /tmp/report
    return $status
}

full() {
    for suite in test_counters test_doctor; do
        part $suite $suite
    done
    part doctor bfs --doctor
    for alloc in malloc pool slab; do
        for group in $groups; do
            search "json-$group-$alloc" --format=json --counters="$group" --alloc=$alloc
        done
        part "page-$alloc" with_perf --alloc=$alloc
    done
    search csv --format=csv --counters=pointer-wars
    # shellcheck disable=SC2086 # graph and pairs
    part text bfs $small --progress=never --counters=pointer-wars
    search passes --format=json --counters=pointer-wars --alloc=slab --passes
    for run in 1 2 3 4; do
        search again-$run --format=json --counters=instructions --alloc=slab
    done
    for how in --sim=pi4 --counters=instructions; do
        part "callgrind$how" bfs generate:nodes=500 random:2 --quiet --progress=never \
            --format=json --alloc=slab $how
    done
    for number in 1 2 3 4 5 6; do
        part held-$number while_held $number
    done
    for setting in 3 2 1 0 -1; do
        echo $setting >/proc/sys/kernel/perf_event_paranoid
        search root-$setting --format=json --counters=core --alloc=slab
        part user-$setting as_user "bfs $small --quiet --progress=never --format=json \
            --counters=core --alloc=slab"
    done
    part interrupted interrupted
}

short() {
    part test_counters test_counters
    part doctor bfs --doctor
    search json --format=json --counters=pointer-wars
    search csv --format=csv --counters=pointer-wars
    search plain --format=json --counters=instructions,cycles
}

part kernel dmesg
case $(cat /proc/cmdline) in
*plan=full*) full ;;
*) short ;;
esac
echo "@done"
poweroff -f
