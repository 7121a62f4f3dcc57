#include "base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>

#include "base/text_file.h"

namespace tocsin::base {
namespace {

constexpr std::size_t kLengthAt = 56;  // in the last block: the length in bits, 8 bytes

}  // namespace

Sha256::Sha256() : Sha256(sha256_blocks_x86()) {}

Sha256::Sha256(Sha256Blocks blocks)
    : blocks_(blocks != nullptr ? blocks : sha256_blocks_portable) {}

void Sha256::update(std::string_view bytes) {
  total_ += bytes.size();
  while (!bytes.empty()) {
    std::size_t taken = 0;
    if (pending_size_ == 0 && bytes.size() >= kSha256BlockBytes) {
      const std::size_t count = bytes.size() / kSha256BlockBytes;
      taken = count * kSha256BlockBytes;
      blocks_(state_, reinterpret_cast<const unsigned char*>(bytes.data()), count);
    } else {
      taken = std::min(bytes.size(), kSha256BlockBytes - pending_size_);
      std::memcpy(pending_.data() + pending_size_, bytes.data(), taken);
      pending_size_ += taken;
    }
    bytes.remove_prefix(taken);
    if (pending_size_ == kSha256BlockBytes) {
      blocks_(state_, pending_.data(), 1);
      pending_size_ = 0;
    }
  }
}

std::string Sha256::finish() {
  const std::uint64_t bits = 8 * total_;
  update(std::string_view("\x80", 1));
  while (pending_size_ != kLengthAt) update(std::string_view("\0", 1));
  std::array<char, 8> length{};
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(bits >> (56 - 8 * i) & 0xffU);
  update({length.data(), length.size()});

  std::string hex;
  for (const std::uint32_t word : state_) fmt::format_to(std::back_inserter(hex), "{:08x}", word);
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

Result<std::string> sha256_file(const std::filesystem::path& file) {
  const auto refuse = [&](std::string_view what) -> Result<std::string> {
    return file_error(file, fmt::format("cannot be {}: {}", what, errno_text(errno)));
  };
  if (const std::string cause = not_a_file(file); !cause.empty()) {
    return {ErrorCode::kInput, fmt::format("{}: {}", file.string(), cause)};
  }
  const std::unique_ptr<std::FILE, CloseFile> in(std::fopen(file.c_str(), "rb"));
  if (!in) return refuse("opened");
  Sha256 hash;
  std::array<char, 1U << 16U> buffer{};
  std::size_t got = 0;
  while ((got = std::fread(buffer.data(), 1, buffer.size(), in.get())) > 0) {
    hash.update({buffer.data(), got});
  }
  if (std::ferror(in.get()) != 0) return refuse("read");
  return hash.finish();
}

}  // namespace tocsin::base
