#include "c/convert.h"

#include <algorithm>

namespace tocsin::c {
namespace {

/// Bytes. No struct of the interface comes near it: a size beyond was never set.
constexpr std::size_t kMostStruct = 4096;

}  // namespace

void need(const void* pointer, const char* name) {
  if (pointer == nullptr) refuse("`" + std::string(name) + "` is NULL");
}

void need_list(const void* pointer, std::size_t count, const char* name) {
  if (pointer == nullptr && count > 0) {
    refuse("`" + std::string(name) + "` is NULL, and should have " + std::to_string(count) +
           " entries");
  }
}

std::string text(const char* from, const char* name) {
  need(from, name);
  return from;
}

std::string text_or_none(const char* from) { return from == nullptr ? "" : from; }

std::vector<std::string> texts(const char* const* from, std::size_t count, const char* name) {
  need_list(from, count, name);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(text(from[i], name));
  return out;
}

std::string lines(std::span<const std::string> texts) {
  std::string out;
  for (const std::string& line : texts) {
    if (!out.empty()) out += '\n';
    out += line;
  }
  return out;
}

InBetween in_between_of(std::int32_t number) {
  if (number == TOCSIN_SCREW) return InBetween::kScrew;
  if (number == TOCSIN_TRANSLATE_ROTATE) return InBetween::kTranslateRotate;
  refuse("`in_between` is " + std::to_string(number) +
         ", and neither TOCSIN_SCREW nor TOCSIN_TRANSLATE_ROTATE");
}

ShapePlacement placement_of(const tocsin_placement* at) {
  if (at == nullptr) return {};
  return {same_bytes<Vec3>(at->translation), same_bytes<Quat>(at->rotation),
          same_bytes<Vec3>(at->scale)};
}

Transform transform_of(const tocsin_transform* at) {
  return at == nullptr ? Transform{} : same_bytes<Transform>(*at);
}

std::size_t room_for(const void* to, std::size_t capacity, std::size_t there, std::size_t* count) {
  if (to == nullptr && capacity > 0) refuse("the buffer is NULL, and its capacity is not 0");
  if (to == nullptr && count == nullptr) refuse("both the buffer and the count are NULL");
  if (count != nullptr) *count = there;
  return std::min(capacity, there);
}

void need_room(const void* to, std::size_t capacity, std::size_t needed) {
  if (to == nullptr || capacity >= needed) return;
  throw Failure{TOCSIN_ERROR_BUFFER, "the buffer has room for " + std::to_string(capacity) +
                                         " entries, and " + std::to_string(needed) + " are needed"};
}

void hand_out_text(std::string_view from, char* to, std::size_t capacity, std::size_t* length) {
  room_for(to, capacity, from.size(), length);
  if (to != nullptr && capacity > 0) {
    const std::size_t fit = std::min(capacity - 1, from.size());
    std::memcpy(to, from.data(), fit);
    to[fit] = '\0';
  }
  need_room(to, capacity, from.size() + 1);
}

std::size_t size_of_struct(const void* from, std::size_t own, const char* name) {
  std::uint32_t size = 0;
  std::memcpy(&size, from, sizeof size);
  // All structs are as they were first: a shorter one is none.
  if (size >= own && size <= kMostStruct) return size;
  refuse("`" + std::string(name) + "` says that its size is " + std::to_string(size) +
         " bytes; the library knows it with " + std::to_string(own) + ": set `size` to its sizeof");
}

void need_zeros(const void* from, std::size_t begin, std::size_t end, const char* name) {
  const auto* const bytes = static_cast<const unsigned char*>(from);
  if (std::all_of(bytes + begin, bytes + std::max(begin, end), [](auto b) { return b == 0; })) {
    return;
  }
  refuse("`" + std::string(name) + "` asks for something that this version of the library, " +
         std::to_string(TOCSIN_C_VERSION) + ", does not know");
}

}  // namespace tocsin::c
