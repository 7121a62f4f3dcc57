// How radii are told.
#pragma once

#include <string>
#include <variant>

#include "tocsin/avatar.h"

namespace tocsin::python {

/// A factor, or "auto".
using Radii = std::variant<double, std::string>;

/// Errors (kUsage): another word.
RadiusScale radius_scale(const Radii& radii);

}  // namespace tocsin::python
