// Kernels of the shape stage.
#include "core/batch/pairs.h"
#include "core/batch/shapes.h"
#include "gpu/cuda/device/device_launch.cuh"

TOCSIN_KERNEL(tocsin::core::batch::Gather<std::uint32_t>);
TOCSIN_KERNEL(tocsin::core::batch::MakeExtra);
TOCSIN_KERNEL(tocsin::core::batch::FlagShaped);
TOCSIN_KERNEL(tocsin::core::batch::FlagShapedPairs);
TOCSIN_KERNEL(tocsin::core::batch::Opposite);
TOCSIN_KERNEL(tocsin::core::batch::ShapeEarlyOuts);
TOCSIN_KERNEL(tocsin::core::batch::PlaceShapeSegments);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::SearchRoom);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::RecordShapeContacts);
TOCSIN_KERNEL(tocsin::core::batch::SearchPairs);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::RecordShapePairs);
