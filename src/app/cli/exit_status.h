// The command's exit status; docs/command-line.md.
#pragma once

#include "tocsin/result.h"

namespace tocsin::app {

enum ExitStatus : int {
  kDone = 0,
  kFound = 1,       ///< a contact under --fail-on-contact, or a difference found by verify
  kWrongUsage = 2,  ///< wrong usage, or a backend that is not available
  kRefused = 3,     ///< an input was refused
  kUnfinished = 4,  ///< disk full, memory, lost device, interrupted
};

constexpr ExitStatus exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
    case ErrorCode::kUnavailable:
      return kWrongUsage;
    case ErrorCode::kInput:
      return kRefused;
    case ErrorCode::kResource:
    case ErrorCode::kCancelled:
      break;
  }
  return kUnfinished;
}

}  // namespace tocsin::app
