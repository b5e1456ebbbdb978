/*
 * resources.h - the kernel's description of the machine and the process.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most memory that the process has had resident, in bytes; 0: not known. */
uint64_t resources_peak_rss_bytes(void);

/* Pages that the process got so far without reading a disk, each cleared or mapped. */
uint64_t resources_minor_faults(void);

/* Name of the processor ("AMD EPYC 9R14"), of kernel and machine ("Linux 6.1.0 x86_64"); one line
 * each, static, never NULL. Not thread-safe. */
const char *resources_cpu(void);
const char *resources_kernel(void);

/* The path of an executable program in one of the folders of PATH, where an empty folder is the
 * current one, as for execvp. False if no file is found. */
bool resources_program(const char *name, char *path, size_t size);
