/*
 * thread_sanitizer.h - what a test of threads leaves out under a sanitizer.
 *
 * THREADS_ARE_WATCHED: ThreadSanitizer does not see how a malloc of another library orders memory.
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
