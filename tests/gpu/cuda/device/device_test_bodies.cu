#include "gpu/cuda/device/device_launch.cuh"
#include "gpu/cuda/device/device_test_bodies.h"

TOCSIN_KERNEL(tocsin::test::CountEach);
TOCSIN_KERNEL(tocsin::test::TripleAndOne);
TOCSIN_KERNEL_UP_TO(tocsin::test::TripleAndOne);
TOCSIN_KERNEL(tocsin::test::ShareNumbers);
TOCSIN_KERNEL(tocsin::test::MeetInPairs);
TOCSIN_KERNEL(tocsin::test::Arithmetic);
