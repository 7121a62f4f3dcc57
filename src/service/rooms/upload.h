// The bytes of a room that is being uploaded: a temporary private file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "service/access/access.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// A file in its own folder below the system's folder for temporary files. Other users may open
/// neither. Both are removed with this object. Not thread-safe.
class Upload {
 public:
  /// Its bytes count as `principal.used->disk`, within the limit.
  Upload(std::uint64_t most_bytes, const Principal& principal)
      : most_bytes_(most_bytes), principal_(principal) {}
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;
  ~Upload() { remove(); }

  /// Appends. Errors (kResource): more than `most_bytes` in all, or than the principal may have on
  /// the disk; the disk. Neither names the file.
  Status append(std::string_view bytes);
  /// No more is appended; path() can be read. Errors (kInput): nothing was ever appended.
  Status close();

  /// Removes both now.
  void remove();

  [[nodiscard]] const std::filesystem::path& path() const { return file_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  Status create();

  std::uint64_t most_bytes_;
  const Principal& principal_;
  std::uint64_t size_ = 0;
  std::uint64_t counted_ = 0;  ///< in the principal's `disk`
  int descriptor_ = -1;
  std::filesystem::path folder_;
  std::filesystem::path file_;
};

}  // namespace tocsin::service
