// Kernels that pick links and pairs of links.
#include "core/batch/pairs.h"
#include "gpu/cuda/device/device_launch.cuh"

TOCSIN_KERNEL(tocsin::core::batch::FlagPairs);
TOCSIN_KERNEL(tocsin::core::batch::Gather<tocsin::core::batch::LinkPair>);
TOCSIN_KERNEL(tocsin::core::batch::CountActive);
TOCSIN_KERNEL(tocsin::core::batch::FlagNear);
TOCSIN_KERNEL(tocsin::core::batch::Gather<std::uint32_t>);
TOCSIN_KERNEL(tocsin::core::batch::TallyNear);
