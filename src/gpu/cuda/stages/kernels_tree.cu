// Kernels of trees.
#include "core/batch/tree_ask.h"
#include "core/batch/tree_build.h"
#include "gpu/cuda/device/device_launch.cuh"

namespace batch = tocsin::core::batch;

TOCSIN_KERNEL(batch::MortonCodes);
TOCSIN_KERNEL(batch::FlagInner);
TOCSIN_KERNEL(batch::AnyLane);

// For every k that KdopBvh::build knows.
#define TOCSIN_TREE_KERNELS(K)               \
  TOCSIN_KERNEL(batch::Hierarchy<K>);        \
  TOCSIN_KERNEL(batch::FitTree<K>);          \
  TOCSIN_KERNEL(batch::FlagNearRoom<K>);     \
  TOCSIN_KERNEL(batch::CountCandidates<K>);  \
  TOCSIN_KERNEL(batch::AppendCandidates<K>); \
  TOCSIN_KERNEL(batch::FillCandidates<K>)

TOCSIN_TREE_KERNELS(6);
TOCSIN_TREE_KERNELS(14);
TOCSIN_TREE_KERNELS(18);
TOCSIN_TREE_KERNELS(26);
