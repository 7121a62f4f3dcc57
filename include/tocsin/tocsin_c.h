// Tocsin in C99: continuous collision detection, with proof, for motion-captured avatars. For
// programs in C, and for languages that call C: C#, Python, Rust, Blueprint plugins.
// Guide: docs/c.md.
//
// HANDLES. An object is named by a handle. A handle is no address: never follow it. It is made by
// the library, destroyed by tocsin_destroy() in any order, and never used twice. What was made
// from an object goes on without it. NULL, a handle that was destroyed and a handle of another kind
// give TOCSIN_ERROR_HANDLE.
//
// ERRORS. A function returns TOCSIN_OK or an error; tocsin_last_error() then says why, for a
// person. On an error nothing is changed, unless the function says otherwise; a handle that it was
// to make is NULL. Bad input is an error, whatever it is: NULL, counts, NaN, wrong handles.
// Addresses and counts of the caller's memory are believed.
//
// MEMORY. No memory changes its owner. What goes in is copied; what comes out is written to the
// caller's memory. Lists and texts come out so: f(..., buffer, capacity, &count) writes at most
// `capacity` entries and says how many there are. With a buffer of NULL and a capacity of 0 it only
// counts. A buffer that is too small gets its `capacity` entries, and TOCSIN_ERROR_BUFFER. `count`
// may be NULL.
//
// STRUCTS that may grow in later versions begin with `size`: set it to sizeof the struct before the
// call, also of those that the library fills. Of a list of structs, the first one's `size` is that
// of all. All other fields: 0 is the default. Options may be NULL: all defaults. So programs go on
// working with later versions of the library without being compiled again.
//
// THREADS. Every function may be called by any thread at any time. Objects that do not change
// (skeleton, motion, step, shape, avatar, member, environment, detector, mesh) and `cancel` may be
// used by any number of threads at once. A stream, crowd, scene, pair or reports object is used by
// one thread at a time: a call that finds one in use changes nothing and returns TOCSIN_ERROR_BUSY.
// An object that is destroyed while a call uses it lives until that call ends. A call returns when
// its work is done; only tocsin_detector_run() calls back, in the calling thread.
//
// UNITS AND FRAMES. Metres, seconds, world frame, right-handed, +Y up, unless a function says
// otherwise. A step's local time runs from 0 to 1. Texts are UTF-8 and end with '\0'.
//
// No exception leaves the library. It exports names that begin with tocsin_, and no others.
#pragma once

#include "tocsin/c/avatar.h"    // IWYU pragma: export
#include "tocsin/c/base.h"      // IWYU pragma: export
#include "tocsin/c/detector.h"  // IWYU pragma: export
#include "tocsin/c/files.h"     // IWYU pragma: export
#include "tocsin/c/live.h"      // IWYU pragma: export
#include "tocsin/c/motion.h"    // IWYU pragma: export
#include "tocsin/c/nearest.h"   // IWYU pragma: export
#include "tocsin/c/reports.h"   // IWYU pragma: export
#include "tocsin/c/room.h"      // IWYU pragma: export
#include "tocsin/c/scene.h"     // IWYU pragma: export
#include "tocsin/c/shape.h"     // IWYU pragma: export
