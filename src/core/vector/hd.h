// TOCSIN_HD marks a function that is compiled for the CPU and for the GPU: one arithmetic source.
#pragma once

#ifdef __CUDACC__
#define TOCSIN_HD __host__ __device__
#else
#define TOCSIN_HD
#endif
