#!/usr/bin/perl
# container.pl - run a command under a filter of system calls as containers have it by default.
#
# Usage: container.pl COMMAND...     (tests/fresh --like=container)
# What Docker's default profile denies to a container without CAP_SYS_ADMIN and CAP_SYS_PTRACE, as
# far as a program can notice: mounts, namespaces, ptrace and the memory of other processes, counters
# of the kernel, NUMA policies, keys, fixed addresses. Denied calls fail with EPERM, clone3 with
# ENOSYS. In Perl, because a Debian without anything has it.
use strict;
use warnings;

my %machines = (
    x86_64 => [0xc000003e, {
        clone => 56, clone3 => 435, personality => 135, prctl => 157, unshare => 272, setns => 308,
        mount => 165, umount2 => 166, pivot_root => 155, ptrace => 101, perf_event_open => 298,
        bpf => 321, userfaultfd => 323, process_vm_readv => 310, process_vm_writev => 311,
        mbind => 237, set_mempolicy => 238, get_mempolicy => 239, move_pages => 279,
        migrate_pages => 256, add_key => 248, request_key => 249, keyctl => 250, kcmp => 312,
        open_by_handle_at => 304, quotactl => 179, swapon => 167, swapoff => 168, reboot => 169,
        acct => 163, settimeofday => 164, clock_settime => 227, syslog => 103, sethostname => 170,
        io_uring_setup => 425, move_mount => 429, fsopen => 430, fsmount => 432, open_tree => 428 }],
    aarch64 => [0xc00000b7, {
        clone => 220, clone3 => 435, personality => 92, prctl => 167, unshare => 97, setns => 268,
        mount => 40, umount2 => 39, pivot_root => 41, ptrace => 117, perf_event_open => 241,
        bpf => 280, userfaultfd => 282, process_vm_readv => 270, process_vm_writev => 271,
        mbind => 235, set_mempolicy => 237, get_mempolicy => 236, move_pages => 239,
        migrate_pages => 238, add_key => 217, request_key => 218, keyctl => 219, kcmp => 272,
        open_by_handle_at => 265, quotactl => 60, swapon => 224, swapoff => 225, reboot => 142,
        acct => 89, settimeofday => 170, clock_settime => 112, syslog => 116, sethostname => 161,
        io_uring_setup => 425, move_mount => 429, fsopen => 430, fsmount => 432, open_tree => 428 }]);
my $machine = `uname -m`;
chomp $machine;
die "container.pl: no filter is known for $machine\n" unless $machines{$machine};
my ($architecture, $calls) = @{ $machines{$machine} };

my ($allow, $eperm, $enosys) = (0x7fff0000, 0x00050001, 0x00050026);
my @filter;
sub load { push @filter, pack("S C C L", 0x20, 0, 0, $_[0]) }
sub jump { push @filter, pack("S C C L", @_) }            # code, if true, otherwise, value
sub give { push @filter, pack("S C C L", 0x06, 0, 0, $_[0]) }
my ($equal, $bits) = (0x15, 0x45);

load(4);
jump($equal, 1, 0, $architecture);
give($allow);
load(0);
jump($equal, 0, 1, $calls->{clone3});
give($enosys);
jump($equal, 0, 3, $calls->{clone}); # not with a namespace
load(16);
jump($bits, 0, 1, 0x7e020000);
give($eperm);
load(0);
jump($equal, 0, 7, $calls->{personality}); # few of them: random addresses stay
load(16);
jump($equal, 4, 0, 0);
jump($equal, 3, 0, 8);
jump($equal, 2, 0, 0x20000);
jump($equal, 1, 0, 0xffffffff);
give($eperm);
give($allow);
for my $name (sort keys %$calls) {
    next if $name =~ /^(clone3?|personality|prctl)$/;
    jump($equal, 0, 1, $calls->{$name});
    give($eperm);
}
give($allow);

my $program = join "", @filter;
my $description = pack("S x![P] P", scalar @filter, $program);
syscall($calls->{prctl}, 22, 2, $description) == 0 or die "container.pl: no filter: $!\n";
exec @ARGV or die "container.pl: $ARGV[0]: $!\n";
