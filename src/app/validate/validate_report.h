// The results of `tocsin validate` as tables for people and as one JSON object
// ("tocsin.validation.v1", docs/validate.schema.json) for programs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/check/job.h"
#include "app/validate/validate_compare.h"
#include "io/report/report.h"
#include "tocsin/detector_options.h"
#include "tocsin/step_report.h"

namespace tocsin::app {

/// One detector, run over all steps.
struct BackendRun {
  Backend backend = Backend::kCpu;
  std::string device;
  double build_ms = 0.0;  ///< tree, device, upload
  double check_ms = 0.0;  ///< all steps
  StepCounters counters;  ///< summed over the steps
  io::Tally tally;
  std::string hash;
};

/// An exact answer.
struct ExactRow {
  BackendRun run;
  ExactDifferences differences;
  bool equal = true;  ///< nothing differs, and the hashes are the same
};

/// An answer of image space.
struct ImageRow {
  BackendRun run;
  std::pair<int, int> size;  ///< pixels, width and height
  ImageDifferences differences;
};

/// A backend that did not run.
struct AbsentBackend {
  Backend backend = Backend::kGl;
  std::string reason;
};

struct Validation {
  std::vector<ExactRow> exact;  ///< the reference first
  std::vector<ImageRow> image;
  std::vector<AbsentBackend> absent;
  GlSurface surface = GlSurface::kSkin;  ///< of the answers of image space
  bool has_meshes = false;               ///< of which image space knows nothing
  [[nodiscard]] const ExactRow& reference() const { return exact.front(); }
};

/// True if this answer of image space is wrong: it claims a pair free that is not. The paper's
/// surface claims nothing, so it is never wrong.
bool is_wrong(const ImageRow& row, GlSurface surface);
/// True if everything is as it must be: what the exit status says.
bool holds(const Validation& validation);

/// The sentences about one answer.
struct Judgement {
  std::string sentence;
  std::vector<std::string> faults;  ///< the first ones, a line each
};
/// The sentences about all answers, in order; one about the whole if there was nothing to compare.
std::vector<Judgement> verdict(const Job& job, const Validation& validation);
/// The whole text for people.
std::string render_validation(const Job& job, const Validation& validation);
/// One JSON object and a newline. `run`: the reference's run line (io::run_line).
std::string validation_json(const Job& job, const Validation& validation, const std::string& run);

}  // namespace tocsin::app
