// SHA-256 (FIPS 180-4). It identifies a report's inputs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/sha256_blocks.h"
#include "tocsin/result.h"

namespace tocsin::base {

/// The hash of bytes that come in pieces.
class Sha256 {
 public:
  /// Uses the fastest implementation for this processor.
  Sha256();
  /// Uses the given implementation; null: the portable one.
  explicit Sha256(Sha256Blocks blocks);

  void update(std::string_view bytes);
  /// The hash of all bytes so far, 64 lower-case hexadecimal digits. The object cannot be used
  /// further.
  std::string finish();

 private:
  Sha256Blocks blocks_;
  Sha256State state_{0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                     0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
  std::array<unsigned char, kSha256BlockBytes> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_ = 0;  ///< bytes
};

std::string sha256_hex(std::string_view bytes);

/// The hash of a file, read in pieces. Errors (kInput), naming the file: it cannot be opened or
/// read.
Result<std::string> sha256_file(const std::filesystem::path& file);

}  // namespace tocsin::base
