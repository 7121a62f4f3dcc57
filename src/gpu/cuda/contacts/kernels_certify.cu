// Kernels of the certify stage.
#include "core/batch/certify.h"
#include "core/batch/certify_links.h"
#include "core/batch/segments.h"
#include "gpu/cuda/device/device_launch.cuh"

TOCSIN_KERNEL(tocsin::core::batch::EarlyOuts);
TOCSIN_KERNEL(tocsin::core::batch::MakeKeys);
TOCSIN_KERNEL(tocsin::core::batch::MarkHeads);
TOCSIN_KERNEL(tocsin::core::batch::PlaceSegments);
TOCSIN_KERNEL(tocsin::core::batch::FindUrgency);
TOCSIN_KERNEL(tocsin::core::batch::FindFirst);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::OpenSegments);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::CertifyFirsts);
TOCSIN_KERNEL(tocsin::core::batch::WantOthers);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::CertifyOthers);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::FoldSegments);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::RecordContacts);
TOCSIN_KERNEL(tocsin::core::batch::LookAtPairs);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::SeePairs);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::CertifyPairs);
TOCSIN_KERNEL_UP_TO(tocsin::core::batch::RecordPairs);
