#include "wire/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "base/mesh_bytes.h"
#include "base/packed.h"
#include "base/sha256.h"
#include "wire/text.h"

namespace tocsin::wire {
namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;
constexpr std::size_t kHeadBytes = 8;
constexpr std::size_t kTriple = 12;  ///< bytes of a vertex, or of a triangle

std::uint8_t digit_of(char c) {
  return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

Hash hash_of_hex(const std::string& hex) {
  Hash out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint8_t>(digit_of(hex[2 * i]) << 4U | digit_of(hex[2 * i + 1]));
  }
  return out;
}

void append_vertex(std::string& out, const Vec3f& v) {
  for (const float x : {v.x, v.y, v.z}) base::append_packed(out, std::bit_cast<std::uint32_t>(x));
}

}  // namespace

Hash hash_of(std::string_view bytes) { return hash_of_hex(base::sha256_hex(bytes)); }

std::string text_of(const Hash& hash) { return {hash.begin(), hash.end()}; }

Result<Hash> hash_from(std::string_view bytes) {
  Hash out{};
  if (bytes.size() != out.size()) {
    return {ErrorCode::kInput, fmt::format("a SHA-256 of {} bytes", bytes.size())};
  }
  std::transform(bytes.begin(), bytes.end(), out.begin(),
                 [](char c) { return static_cast<std::uint8_t>(c); });
  return out;
}

ObjectPacker::ObjectPacker(Environment room)
    : room_(std::move(room)), places_(room_.vertices().size(), kNowhere) {}

std::string ObjectPacker::pack(std::size_t object) {
  const Object& what = room_.objects()[object];
  const std::span<const TriangleIndices> triangles =
      room_.triangles().subspan(what.first_triangle, what.triangle_count);
  std::vector<std::uint32_t> used;
  for (const TriangleIndices& triangle : triangles) {
    for (const std::uint32_t vertex : triangle) {
      if (places_[vertex] != kNowhere) continue;
      places_[vertex] = static_cast<std::uint32_t>(used.size());
      used.push_back(vertex);
    }
  }
  std::string out;
  out.reserve(kHeadBytes + kTriple * (used.size() + triangles.size()));
  base::append_packed(out, static_cast<std::uint32_t>(used.size()));
  base::append_packed(out, static_cast<std::uint32_t>(triangles.size()));
  for (const std::uint32_t vertex : used) append_vertex(out, room_.vertices()[vertex]);
  for (const TriangleIndices& triangle : triangles) {
    for (const std::uint32_t vertex : triangle) base::append_packed(out, places_[vertex]);
  }
  for (const std::uint32_t vertex : used) places_[vertex] = kNowhere;
  return out;
}

Result<ObjectMesh> unpack_object(std::string name, std::string_view bytes) {
  if (bytes.size() < kHeadBytes) {
    return {ErrorCode::kInput, fmt::format("an object of {} bytes", bytes.size())};
  }
  const std::uint32_t vertices = base::get_packed(bytes.data());
  const std::uint32_t triangles = base::get_packed(bytes.data() + 4);
  const std::uint64_t need = kHeadBytes + kTriple * (std::uint64_t{vertices} + triangles);
  if (bytes.size() != need) {
    return {ErrorCode::kInput, fmt::format("{} vertices and {} triangles are {} bytes, not {}",
                                           vertices, triangles, need, bytes.size())};
  }
  ObjectMesh out;
  out.name = std::move(name);
  out.vertices.reserve(vertices);
  out.triangles.reserve(triangles);
  const char* at = bytes.data() + kHeadBytes;
  const auto number = [](const char* from) { return std::bit_cast<float>(base::get_packed(from)); };
  for (std::uint32_t i = 0; i < vertices; ++i, at += kTriple) {
    out.vertices.push_back({number(at), number(at + 4), number(at + 8)});
  }
  for (std::uint32_t i = 0; i < triangles; ++i, at += kTriple) {
    out.triangles.push_back(
        {base::get_packed(at), base::get_packed(at + 4), base::get_packed(at + 8)});
  }
  return out;
}

std::string pack_shape(const Shape& shape) {
  return base::mesh_bytes(shape.corners(), shape.features());
}

Result<Shape> unpack_shape(std::string_view bytes, double radius) {
  auto mesh = base::read_mesh_bytes(bytes);
  if (!mesh) return mesh.error();
  return Shape::mesh(std::move(mesh->corners), std::move(mesh->triangles), radius);
}

Hash hash_of(const std::vector<PartHead>& parts) {
  base::Sha256 hash;
  std::string text;
  for (const PartHead& part : parts) {
    text.clear();
    base::append_packed(text, static_cast<std::uint32_t>(part.name.size()));
    text += part.name;
    base::append_packed(text, part.number);
    text += text_of(part.sha256);
    hash.update(text);
  }
  return hash_of_hex(hash.finish());
}

std::vector<PartHead> heads_of(ObjectPacker& packer, const std::vector<std::uint32_t>& numbers) {
  const auto objects = packer.room().objects();
  std::vector<PartHead> out;
  out.reserve(objects.size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::string bytes = packer.pack(i);
    std::string name;
    put_text(objects[i].name, name);  // as the other side gets it
    out.push_back({std::move(name), numbers.empty() ? static_cast<std::uint32_t>(i) : numbers[i],
                   bytes.size(), hash_of(bytes), 0.0});
  }
  return out;
}

}  // namespace tocsin::wire
