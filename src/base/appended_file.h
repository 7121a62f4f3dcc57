// A file that grows and may be read meanwhile. Records are written to it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tocsin/result.h"

namespace tocsin::base {

/// Appends bytes through a buffer. They are in the file after 64 KiB, with the first write that
/// comes a second later, or after flush(). After an error the file ends with the last flush that
/// succeeded, and nothing more is written: every later call returns the error again. All errors are
/// kResource and name the file. Not thread-safe.
class AppendedFile {
 public:
  AppendedFile() = default;
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;
  /// Writes the buffer, if the disk allows it.
  ~AppendedFile();

  /// Creates the file, and locks it (flock) until it is closed. Errors: a file of that name exists.
  Status open(const std::filesystem::path& file);
  /// Appends whole lines.
  Status write(std::string_view lines);
  Status flush();
  /// Passes everything written so far to `take`, in pieces from the start, until it returns false.
  Status read_back(const std::function<bool(std::string_view)>& take);
  Status close();

 private:
  [[nodiscard]] Error error() const;

  int descriptor_ = -1;
  std::int64_t whole_ = 0;  ///< bytes in the file, by flushes that succeeded
  std::string shown_;
  std::string buffer_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
  std::optional<Error> failed_;
};

/// Appends to a file that is not kept open; it is made if there is none. `sync`: the bytes are on
/// the disk when it returns. Errors (kResource): file and cause; then some of them may be there.
Status append_to_file(const std::filesystem::path& file, std::string_view bytes, bool sync);

}  // namespace tocsin::base
