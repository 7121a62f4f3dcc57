// Kernels of the motion stage.
#include "core/batch/motions.h"
#include "gpu/cuda/device/device_launch.cuh"

TOCSIN_KERNEL(tocsin::core::batch::NumberStep);
TOCSIN_KERNEL(tocsin::core::batch::MakeMotion);
TOCSIN_KERNEL(tocsin::core::batch::MakeBox);
TOCSIN_KERNEL(tocsin::core::batch::MakeSwept);
