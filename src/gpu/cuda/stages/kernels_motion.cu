// Kernels of the motion stage, and those that pick links and pairs of links.
#include "core/batch/motions.h"
#include "core/batch/pairs.h"
#include "gpu/cuda/device/device_launch.cuh"

TOCSIN_KERNEL(tocsin::core::batch::NumberStep);
TOCSIN_KERNEL(tocsin::core::batch::MakeMotion);
TOCSIN_KERNEL(tocsin::core::batch::MakeBox);
TOCSIN_KERNEL(tocsin::core::batch::MakeSwept);

TOCSIN_KERNEL(tocsin::core::batch::FlagPairs);
TOCSIN_KERNEL(tocsin::core::batch::Gather<tocsin::core::batch::LinkPair>);
TOCSIN_KERNEL(tocsin::core::batch::TallyNear);
