// A file that grows and may be read meanwhile. Records are written to it.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tocsin/result.h"

namespace tocsin::base {

/// Appends bytes through a buffer. They are in the file after 64 KiB, or with the first write that
/// comes a second later. After an error nothing more is written, because there may be half a line:
/// every later call returns the error again. All errors are kResource and name the file. Not
/// thread-safe.
class AppendedFile {
 public:
  AppendedFile() = default;
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;
  /// Writes the buffer, if the disk allows it.
  ~AppendedFile();

  /// Creates the file. Errors: a file of that name exists.
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
  std::string shown_;
  std::string buffer_;
  std::chrono::steady_clock::time_point written_ = std::chrono::steady_clock::now();
  std::optional<Error> failed_;
};

}  // namespace tocsin::base
