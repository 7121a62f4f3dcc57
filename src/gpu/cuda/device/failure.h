// How something that goes wrong on a device travels inside of this floor. Nothing of it leaves the
// floor as an exception: gpu/cuda/stages/batch_checker.h catches it.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include "tocsin/result.h"

namespace tocsin::cuda {

/// Where a call stands in the source: every failure knows it. (clang 14 has no
/// std::source_location.)
struct Where {
  const char* file = "";
  int line = 0;
  /// As a default argument: where the call stands that leaves it out.
  static constexpr Where current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

enum class FailureKind : std::uint8_t {
  kMemory,  ///< not enough of it: a smaller batch may succeed
  kDevice,  ///< the device, or its driver, does not work any more
};

/// what(): call, sizes, what CUDA says. It is shown to users and goes into reports, so no file of
/// the source is named there: where() is for developers.
class Failure : public std::exception {
 public:
  Failure(FailureKind kind, std::string text, const Where& where = Where::current())
      : kind_(kind), text_(std::move(text)), where_(where) {}
  [[nodiscard]] FailureKind kind() const { return kind_; }
  /// The call that failed. "batch_data.cpp:120".
  [[nodiscard]] std::string where() const;
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }
  [[nodiscard]] Error error() const { return {ErrorCode::kResource, text_}; }

 private:
  FailureKind kind_;
  std::string text_;
  Where where_;
};

/// How many of something there are for a batch, as kernels count it. Throws Failure (kMemory) if 32
/// bits are too few: "a batch has SIZE WHAT: 2^32 are too many".
std::uint32_t counted(std::uint64_t size, const char* what);

}  // namespace tocsin::cuda
