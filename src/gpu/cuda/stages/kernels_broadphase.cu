// Kernels of the broadphase.
#include "core/batch/sweep.h"
#include "core/batch/sweep_links.h"
#include "core/batch/sweep_objects.h"
#include "gpu/cuda/device/device_launch.cuh"

TOCSIN_KERNEL(tocsin::core::batch::StepBoxes);
TOCSIN_KERNEL(tocsin::core::batch::FlagBoxes);
TOCSIN_KERNEL(tocsin::core::batch::SweepKeys);
TOCSIN_KERNEL(tocsin::core::batch::SweepReach);
TOCSIN_KERNEL(tocsin::core::batch::SweepSteps);
TOCSIN_KERNEL(tocsin::core::batch::FillSteps);
TOCSIN_KERNEL(tocsin::core::batch::FirstPartners);
TOCSIN_KERNEL(tocsin::core::batch::CountMeetings);
TOCSIN_KERNEL(tocsin::core::batch::FillMeetings);
TOCSIN_KERNEL(tocsin::core::batch::TallyMeetings);
TOCSIN_KERNEL(tocsin::core::batch::BlockBoxes);
TOCSIN_KERNEL(tocsin::core::batch::DropInactive);
