#include "io/gltf/glb.h"

#include <fmt/format.h>

#include <cassert>
#include <limits>
#include <string>

#include "base/packed.h"

namespace tocsin::io {
namespace {

// From the specification, not to be changed: little-endian numbers at the head of the file and of
// its chunks, which all begin and end at multiples of four.
constexpr std::uint32_t kGlbMagicNumber = 0x46546C67;  // "glTF"
constexpr std::uint32_t kGlbVersion = 2;
constexpr std::uint32_t kJsonChunk = 0x4E4F534A;   // "JSON"
constexpr std::uint32_t kBytesChunk = 0x004E4942;  // "BIN\0"
constexpr std::uint64_t kAlignment = 4;

constexpr std::uint64_t padded(std::uint64_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

/// Precondition: it fits in 32 bits.
void append_uint32(std::string& text, std::uint64_t number) {
  base::append_packed(text, static_cast<std::uint32_t>(number));
}

}  // namespace

Status GlbWriter::open(const std::filesystem::path& file, std::string_view json,
                       std::uint64_t byte_count) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t json_size = padded(json.size());
  // Each by itself first, so that the sum cannot wrap.
  const bool too_large = json_size > kMost || byte_count > kMost ||
                         kGlbHead + 2 * kGlbChunkHead + json_size + padded(byte_count) > kMost;
  if (too_large) {
    return {ErrorCode::kInput,
            fmt::format("{}: would be larger than the 4 GiB that a .glb can hold", file.string())};
  }
  const std::uint64_t bytes_chunk = byte_count == 0 ? 0 : kGlbChunkHead + padded(byte_count);
  left_ = byte_count;
  padding_ = static_cast<std::uint32_t>(padded(byte_count) - byte_count);
  if (Status opened = output_.open(file.string()); !opened) return opened;

  std::string head;
  append_uint32(head, kGlbMagicNumber);
  append_uint32(head, kGlbVersion);
  append_uint32(head, kGlbHead + kGlbChunkHead + json_size + bytes_chunk);
  append_uint32(head, json_size);
  append_uint32(head, kJsonChunk);
  if (!output_.write(head) || !output_.write(json)) return output_.error();
  head.assign(json_size - json.size(), ' ');
  if (byte_count > 0) {
    append_uint32(head, padded(byte_count));
    append_uint32(head, kBytesChunk);
  }
  if (!output_.write(head)) return output_.error();
  return Nothing{};
}

Status GlbWriter::write(std::string_view bytes) {
  assert(bytes.size() <= left_);
  left_ -= bytes.size();
  if (!output_.write(bytes)) return output_.error();
  return Nothing{};
}

Status GlbWriter::finish() {
  assert(left_ == 0);
  if (!output_.write(std::string(padding_, '\0'))) return output_.error();
  return output_.finish();
}

}  // namespace tocsin::io
