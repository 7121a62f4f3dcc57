// Kernels that measure what a device can do at most.
#include "cuda/cuda_ceilings.h"
#include "gpu/cuda/device/device_launch.cuh"

TOCSIN_KERNEL(tocsin::bench::CopyNumbers);
TOCSIN_KERNEL(tocsin::bench::MultiplyAndAdd);
