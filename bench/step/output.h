// What the benches print and keep: tables for people, JSON for later comparison.
#pragma once

#include <string>
#include <vector>

#include "shared/inputs.h"
#include "shared/machine.h"
#include "step/stages.h"
#include "step/threads.h"
#include "step/volumes.h"

namespace tocsin::bench {

/// Everything bench_step found about one case.
struct CaseReport {
  const Case* which = nullptr;
  CaseResult result;
  Volumes volumes;
  std::vector<ThreadsResult> threads;
};

struct Report {
  Machine machine;
  const Inputs* inputs = nullptr;
  bool quick = false;
  double tree_seconds = 0.0;  ///< building the detector's tree, once
  std::vector<CaseReport> cases;
};

std::string as_text(const Report& report);
std::string as_json(const Report& report);

/// True if all contacts agree, with those of the reference and between stages and detector.
bool agrees(const Report& report);

}  // namespace tocsin::bench
