#include "selftest/compare/contact_hash.h"

#include <array>
#include <bit>

namespace tocsin::selftest {

void ContactHash::add(const Contact& c) {
  put_bits(static_cast<std::uint64_t>(c.link));
  const RoomTriangle room = c.room() != nullptr ? *c.room() : RoomTriangle{};
  put_bits(room.object);
  put_bits(room.triangle);
  put_bits(static_cast<std::uint64_t>(c.status));
  put(c.toc[0]);
  put(c.toc[1]);
  put(c.point);
  if (c.normal) put(*c.normal);
  put_bits(static_cast<std::uint64_t>(c.limited ? 1 : 0));
  if (c.depth) put(*c.depth);
  if (c.link_feature) put_bits(*c.link_feature);
  if (c.other_feature) put_bits(*c.other_feature);
  if (c.other() == nullptr) return;
  put_bits(static_cast<std::uint64_t>(c.other()->avatar));
  put_bits(static_cast<std::uint64_t>(c.other()->link));
}

void ContactHash::put_bits(std::uint64_t bits) {
  std::array<char, 8> bytes{};
  for (char& b : bytes) {
    b = static_cast<char>(bits & 0xFFU);
    bits >>= 8U;
  }
  hash_.update({bytes.data(), bytes.size()});
}

void ContactHash::put(double x) { put_bits(std::bit_cast<std::uint64_t>(x)); }

void ContactHash::put(const Vec3& v) {
  put(v.x);
  put(v.y);
  put(v.z);
}

}  // namespace tocsin::selftest
