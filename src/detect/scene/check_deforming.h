// An object that deforms, against those that stand and those that deform.
#pragma once

#include <cstddef>
#include <stop_token>

#include "detect/step/exact_step.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// The report of deformer `index` of the scene (Detector::check_objects). Of two that deform, the
/// one before asks. Errors are in the report.
StepReport check_deforming(const ExactStep& exact, std::size_t index, const std::stop_token& stop);

}  // namespace tocsin::detect
