// TOCSIN_HD_APART is TOCSIN_HD for what is seldom needed, at places that have no registers to
// spare. On the GPU it is not inlined: it has registers of its own, and its caller needs no spills.
// docs/cuda.md, "Stages".
#pragma once

#include "core/vector/hd.h"

#ifdef __CUDA_ARCH__
#define TOCSIN_HD_APART TOCSIN_HD __noinline__
#else
#define TOCSIN_HD_APART TOCSIN_HD
#endif
