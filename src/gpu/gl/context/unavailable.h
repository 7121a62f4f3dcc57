// The error of a device that cannot be used.
#pragma once

#include <string>
#include <utility>

#include "tocsin/result.h"

namespace tocsin::gl {

inline Error unavailable(std::string message) {
  return {ErrorCode::kUnavailable, std::move(message)};
}

}  // namespace tocsin::gl
