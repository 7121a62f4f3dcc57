// A file that is whole or not there: it is written beside its place and moved there at the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::io {

/// Writes bytes to a file, or to standard output for "-".
///
/// A new or regular file is written under a name of its own in the same folder and renamed by
/// finish(); if it is destroyed before that, nothing is left and an older file of that name is
/// unharmed. What is not a regular file (a pipe, a device) is written to directly.
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
  bool flush();
  bool write_through(std::string_view bytes);
  void discard() noexcept;
  void keep_cause();

  int descriptor_ = -1;
  bool owns_descriptor_ = false;
  std::string shown_name_;         ///< as given, for messages
  std::filesystem::path target_;   ///< where it belongs; empty if written directly
  std::filesystem::path partial_;  ///< what is being written; empty if written directly
  std::string buffer_;
  std::string cause_;
};

/// Writes a whole text to standard output. Errors (kResource).
Status write_to_standard_output(std::string_view text);

/// Removes the partial files of all OutputFiles that are open. For a process that is about to
/// end at once; async-signal safety is not needed, as signals are taken by a thread of their own.
void discard_open_output() noexcept;

}  // namespace tocsin::io
