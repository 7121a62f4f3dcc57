// Why the server ends a stream.
#pragma once

#include <cstdint>
#include <string>

namespace tocsin::service {

/// Why a stream is ended by the server.
enum class Refusal : std::uint8_t {
  kInvalid,     ///< INVALID_ARGUMENT
  kBadFrame,    ///< INVALID_ARGUMENT: values of one frame. A session that may skip it goes on
  kOverloaded,  ///< RESOURCE_EXHAUSTED
  kForbidden,   ///< PERMISSION_DENIED
  kNotFound,    ///< NOT_FOUND
  kOutOfRange,  ///< OUT_OF_RANGE: cannot be resumed without a hole
  kTakenOver,   ///< ABORTED
  kClosing,     ///< UNAVAILABLE
  kNotNow,      ///< FAILED_PRECONDITION
  kFailed,      ///< INTERNAL: memory, disk, a device
};

/// The end of a stream that the server decided on.
struct Problem {
  Refusal refusal = Refusal::kInvalid;
  std::string message;
};

inline Problem out_of_memory() { return {Refusal::kFailed, "out of memory"}; }

}  // namespace tocsin::service
