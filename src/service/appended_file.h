// A file that grows while it may be read: what a record is written to.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tocsin/result.h"

namespace tocsin::service {

/// Bytes are appended, buffered; they are in the file after 64 KiB of them, or with the first that
/// come a second later. After an error nothing more is written, as there may be half a line then:
/// every later call gives the error again. All errors are kResource and name the file. Not
/// thread-safe.
class AppendedFile {
 public:
  AppendedFile() = default;
  AppendedFile(const AppendedFile&) = delete;
  AppendedFile& operator=(const AppendedFile&) = delete;
  /// What is buffered is kept, if the disk takes it.
  ~AppendedFile();

  /// A new file. Errors: there is one of that name.
  Status open(const std::filesystem::path& file);
  /// Takes whole lines.
  Status write(std::string_view lines);
  Status flush();
  /// Everything that was written, from the start, in pieces, until `take` says false.
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

}  // namespace tocsin::service
