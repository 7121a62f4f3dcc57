#include "gpu/cuda/device/failure.h"

#include <fmt/format.h>

#include <string_view>

#include "core/batch/layout.h"

namespace tocsin::cuda {

std::string Failure::where() const {
  std::string_view file = where_.file;
  file.remove_prefix(file.find_last_of('/') + 1);
  return fmt::format("{}:{}", file, where_.line);
}

std::uint32_t counted(std::uint64_t size, const char* what) {
  if (size < core::batch::kNone) return static_cast<std::uint32_t>(size);
  throw Failure(FailureKind::kMemory,
                fmt::format("a batch has {} {}: 2^32 are too many", size, what));
}

}  // namespace tocsin::cuda
