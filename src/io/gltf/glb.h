// The container of a binary glTF 2.0 file (.glb), written in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/output_file.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Bytes at the head of the file (magic, version, length of the file) and of each chunk (length,
/// kind), as 32-bit numbers, the least significant byte first. The first chunk is the JSON.
inline constexpr std::size_t kGlbHead = 12;
inline constexpr std::size_t kGlbChunkHead = 8;
inline constexpr std::string_view kGlbMagic = "glTF";

/// Writes a .glb: a header, one chunk of JSON, one chunk of bytes (buffer 0 of the JSON). Source:
/// Khronos, glTF 2.0 specification, section 4 (GLB File Format).
///
/// The container states its sizes before its contents, so the JSON and the byte count come first;
/// the bytes follow in pieces of any size, which are not gathered here. If it is destroyed before
/// finish(), nothing is left (see base::OutputFile).
class GlbWriter {
 public:
  /// Opens the file and writes everything up to the bytes. `json` is UTF-8 and describes buffer 0
  /// with a byteLength of `byte_count`; 0: there is no buffer. Errors: kInput if the file would
  /// exceed the format's 4 GiB; kResource if it cannot be written.
  Status open(const std::filesystem::path& file, std::string_view json, std::uint64_t byte_count);

  /// Appends to the bytes. Errors (kResource). Precondition: no more than `byte_count` in all.
  Status write(std::string_view bytes);

  /// Pads the bytes and moves the file to its place. Errors (kResource). Precondition: all of
  /// `byte_count` were written.
  Status finish();

 private:
  base::OutputFile output_;
  std::uint64_t left_ = 0;     ///< bytes that are still to come
  std::uint32_t padding_ = 0;  ///< zeros behind them
};

}  // namespace tocsin::io
