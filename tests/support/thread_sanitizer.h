/*
 * thread_sanitizer.h - what a test of threads leaves out under a sanitizer.
 *
 * THREADS_ARE_WATCHED: ThreadSanitizer does not see how a malloc of another library orders memory.
 * FORKS_MAY_HANG: the sanitizers of gcc 12 do not hold their mallocs' locks across fork, so a child
 * of a process with threads can wait for ever for a block, or to give one back.
 */
#pragma once

#ifdef __SANITIZE_THREAD__
#define THREADS_ARE_WATCHED true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREADS_ARE_WATCHED true
#endif
#endif
#ifndef THREADS_ARE_WATCHED
#define THREADS_ARE_WATCHED false
#endif

#ifdef __SANITIZE_ADDRESS__
#define FORKS_MAY_HANG true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FORKS_MAY_HANG true
#endif
#endif
#ifndef FORKS_MAY_HANG
#define FORKS_MAY_HANG THREADS_ARE_WATCHED
#endif
