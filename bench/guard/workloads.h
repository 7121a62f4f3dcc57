// The guard's fixed workloads: pieces of work of which every run executes the same instructions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::bench::guard {

/// Does a workload's work once. The number says what came out (contacts, triangles, ...), so that a
/// person sees whether more instructions were spent on the same work.
using Work = std::function<std::uint64_t()>;

struct Workload {
  std::string name;
  std::string what;     ///< for a person
  std::string outcome;  ///< what the number counts
  /// Makes everything ready. What this costs does not count.
  std::function<Result<Work>()> prepare;
};

/// Whole steps, alone and through a Stream; motions and bounds; certify. (step_workloads.cpp)
std::vector<Workload> step_workloads();
/// Trees: building, culling. (tree_workloads.cpp)
std::vector<Workload> tree_workloads();
/// Files of the repository. (load_workloads.cpp)
std::vector<Workload> load_workloads();

}  // namespace tocsin::bench::guard
