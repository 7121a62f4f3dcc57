// Kernels that measure what a device can do at most.
#include "gpu/cuda/device/device_launch.cuh"
#include "selftest/measure/cuda_ceilings.h"

TOCSIN_KERNEL(tocsin::selftest::CopyNumbers);
TOCSIN_KERNEL(tocsin::selftest::MultiplyAndAdd<false>);
TOCSIN_KERNEL(tocsin::selftest::MultiplyAndAdd<true>);
