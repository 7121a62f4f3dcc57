// Reports of objects of a scene that move.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "python/step_answer.h"
#include "tocsin/detector.h"

namespace tocsin::python {

/// (index of the object, its report).
using ObjectReports = std::vector<std::pair<std::uint32_t, StepAnswer>>;

ObjectReports check_objects(const Detector& detector, int threads);

}  // namespace tocsin::python
