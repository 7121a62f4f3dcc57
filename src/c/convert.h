// Between the caller's memory and Tocsin's values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "c/failure.h"
#include "tocsin/c/base.h"
#include "tocsin/shape.h"
#include "tocsin/types.h"

namespace tocsin::c {

// The interface's values and Tocsin's are the same bytes, so that poses are copied at once.
static_assert(sizeof(tocsin_vec3) == sizeof(Vec3) && alignof(tocsin_vec3) == alignof(Vec3));
static_assert(sizeof(tocsin_vec3f) == sizeof(Vec3f));
static_assert(sizeof(tocsin_quat) == sizeof(Quat));
static_assert(sizeof(tocsin_transform) == sizeof(Transform));
static_assert(offsetof(tocsin_transform, translation) == offsetof(Transform, translation));
static_assert(offsetof(tocsin_quat, x) == offsetof(Quat, x) &&
              offsetof(tocsin_vec3, z) == offsetof(Vec3, z));
static_assert(sizeof(TriangleIndices) == 3 * sizeof(uint32_t));

/// Refuses NULL. name: of the argument.
void need(const void* pointer, const char* name);
/// Refuses NULL with a count.
void need_list(const void* pointer, std::size_t count, const char* name);

/// The same bytes as another type.
template <class To, class From>
To same_bytes(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To>);
  To out;
  std::memcpy(static_cast<void*>(&out), &from, sizeof out);
  return out;
}

/// `count` values of the caller's, whose bytes are those of `To`.
template <class To, class From>
std::vector<To> copied(const From* from, std::size_t count, const char* name) {
  static_assert(sizeof(To) % sizeof(From) == 0 && std::is_trivially_copyable_v<To>);
  need_list(from, count, name);
  std::vector<To> out(count);
  if (count > 0) std::memcpy(static_cast<void*>(out.data()), from, count * sizeof(To));
  return out;
}

/// A text that must be there.
std::string text(const char* from, const char* name);
/// One that may be NULL: empty.
std::string text_or_none(const char* from);
std::vector<std::string> texts(const char* const* from, std::size_t count, const char* name);
/// A line each.
std::string lines(std::span<const std::string> texts);

InBetween in_between_of(std::int32_t number);
/// NULL: the identity.
ShapePlacement placement_of(const tocsin_placement* at);
Transform transform_of(const tocsin_transform* at);

/// How far `to` and the count of what there is go: the entries that fit. Throws a Failure for a
/// buffer that makes no sense.
std::size_t room_for(const void* to, std::size_t capacity, std::size_t there, std::size_t* count);
/// Throws a Failure where not all fitted.
void need_room(const void* to, std::size_t capacity, std::size_t needed);

/// Hands out values whose bytes are those of `To`, by the rule of tocsin_c.h.
template <class To, class From>
void hand_out(std::span<const From> from, To* to, std::size_t capacity, std::size_t* count) {
  static_assert(sizeof(From) % sizeof(To) == 0 && std::is_trivially_copyable_v<From>);
  const std::size_t fit = room_for(to, capacity, from.size(), count);
  if (fit > 0) std::memcpy(static_cast<void*>(to), from.data(), fit * sizeof(From));
  need_room(to, capacity, from.size());
}
void hand_out_text(std::string_view from, char* to, std::size_t capacity, std::size_t* length);

/// The size that a struct of the caller says it has. Throws a Failure for one that no version had.
std::size_t size_of_struct(const void* from, std::size_t own, const char* name);
/// Throws a Failure if bytes that this version does not know are not 0.
void need_zeros(const void* from, std::size_t begin, std::size_t end, const char* name);

/// One struct of the caller, which may be of an earlier or later version: what it lacks is 0.
template <class Struct>
Struct read_struct(const void* from, std::size_t size, const char* name) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  Struct out{};
  const std::size_t known = size < sizeof out ? size : sizeof out;
  std::memcpy(&out, from, known);
  need_zeros(from, known, size, name);
  return out;
}
/// Options: NULL is all defaults.
template <class Struct>
Struct read_options(const Struct* from, const char* name) {
  if (from == nullptr) return {};
  return read_struct<Struct>(from, size_of_struct(from, sizeof(Struct), name), name);
}
/// A list; the first one's size is that of all.
template <class Struct>
std::vector<Struct> list_of(const Struct* from, std::size_t count, const char* name) {
  need_list(from, count, name);
  std::vector<Struct> out;
  if (count == 0) return out;
  const std::size_t size = size_of_struct(from, sizeof(Struct), name);
  const auto* const bytes = reinterpret_cast<const std::byte*>(from);
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back(read_struct<Struct>(bytes + i * size, size, name));
  }
  return out;
}

/// Writes a struct of which the caller's version has `size` bytes, and says so in it.
template <class Struct>
void write_struct(Struct from, void* to, std::size_t size) {
  from.size = static_cast<std::uint32_t>(size);
  const std::size_t known = size < sizeof from ? size : sizeof from;
  std::memcpy(to, &from, known);
  std::memset(static_cast<std::byte*>(to) + known, 0, size - known);
}
/// The same, of the size that stands in it.
template <class Struct>
void fill(Struct* to, const Struct& from, const char* name) {
  need(to, name);
  write_struct(from, to, size_of_struct(to, sizeof(Struct), name));
}

}  // namespace tocsin::c
