// What bench_cuda prints and keeps.
#pragma once

#include <string>
#include <vector>

#include "selftest/measure/cuda_ceilings.h"
#include "selftest/measure/cuda_run.h"
#include "selftest/measure/cuda_work.h"
#include "shared/machine.h"
#include "shared/timing.h"

namespace tocsin::bench {

/// Everything about one room, or one kind of room.
struct CudaCase {
  std::string name;
  std::string what;    ///< where the avatars are and what they do
  bool house = false;  ///< small_house.obj, which the aim is about
  std::string made;    ///< how long the room took; empty: rows have rooms of their own
  std::vector<CudaRow> rows;
  std::vector<StageWork> work;  ///< of the last row; empty: not counted
};

struct CudaReport {
  Machine machine;
  std::string device;
  bool emulated = true;
  bool quick = false;
  int k = 6;
  unsigned traversals = 2;
  unsigned lanes = 1;
  std::size_t passes = 0;
  CudaCeilings ceilings;
  std::vector<CudaCase> cases;
};

std::string as_text(const CudaReport& report);
std::string as_json(const CudaReport& report);

/// True if all contacts are the CPU's.
bool agrees(const CudaReport& report);

}  // namespace tocsin::bench
