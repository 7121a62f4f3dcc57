// A file that exists whole or not at all: it is written under another name and renamed at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::base {

/// Writes bytes to a file, or to standard output for "-".
///
/// A new or regular file is written under another name in the same folder and renamed by finish().
/// If the object is destroyed before that, nothing is left, and an older file of that name is
/// unchanged. Anything but a regular file (a pipe, a device) is written to directly. So is a
/// descriptor of this process, whatever it is open on: /dev/stdout, /dev/fd/N, what a shell puts
/// for >(command).
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Opens it. Errors (kResource): file and cause.
  Status open(const std::string& file);
  /// Appends bytes; false on failure (the cause is kept for error()).
  bool write(std::string_view bytes);
  /// Flushes, and moves the file to its place. Errors (kResource).
  Status finish();

  /// Why the last call failed.
  [[nodiscard]] Error error() const;

 private:
  Status open_descriptor(int number);
  bool flush();
  bool write_through(std::string_view bytes);
  void discard() noexcept;
  void keep_cause();

  int descriptor_ = -1;
  bool owns_descriptor_ = false;
  std::string shown_name_;         ///< as given, for messages
  std::filesystem::path target_;   ///< final path; empty if written directly
  std::filesystem::path partial_;  ///< path during writing; empty if written directly
  std::string buffer_;
  std::string cause_;
};

/// Writes a whole text to standard output. Errors (kResource).
Status write_to_standard_output(std::string_view text);

/// Removes the partial files of all open OutputFiles. For a process that ends at once. It need not
/// be async-signal-safe, because a separate thread takes signals.
void discard_open_output() noexcept;

}  // namespace tocsin::base
