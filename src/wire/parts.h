// What is downloaded: objects of a room and shapes of links as bytes, and their hashes.
// docs/watching.md describes the bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/environment.h"
#include "tocsin/result.h"
#include "tocsin/shape.h"

namespace tocsin::wire {

using Hash = std::array<std::uint8_t, 32>;  ///< SHA-256

/// What is told of a part before its bytes.
struct PartHead {
  std::string name;
  std::uint32_t number = 0;
  std::uint64_t bytes = 0;
  Hash sha256{};
  double radius = 0.0;  ///< of a shape, metres
};

Hash hash_of(std::string_view bytes);
/// As the wire has it.
std::string text_of(const Hash& hash);
/// Errors (kInput): not 32 bytes.
Result<Hash> hash_from(std::string_view bytes);

/// Packs the objects of a room one after the other. Not thread-safe.
class ObjectPacker {
 public:
  explicit ObjectPacker(Environment room);

  [[nodiscard]] const Environment& room() const { return room_; }
  /// An object: how many vertices and triangles, its vertices in the order of their first use, and
  /// the triangles, which count them from 0.
  std::string pack(std::size_t object);

 private:
  Environment room_;
  std::vector<std::uint32_t> places_;  ///< of vertices, in the object; kNowhere
};

/// Errors (kInput): another length than the counts say. Indices are checked by
/// Environment::create().
Result<ObjectMesh> unpack_object(std::string name, std::string_view bytes);

std::string pack_shape(const Shape& shape);
/// Errors (kInput): bytes that are no shape's.
Result<Shape> unpack_shape(std::string_view bytes, double radius);

/// Names, numbers and hashes of all parts.
Hash hash_of(const std::vector<PartHead>& parts);

/// The heads of a room's objects. `numbers`: of each; empty: 0, 1, 2, ...
std::vector<PartHead> heads_of(ObjectPacker& packer, const std::vector<std::uint32_t>& numbers);

}  // namespace tocsin::wire
