// A hash of contacts: every number's bits.
#pragma once

#include <cstdint>
#include <string>

#include "io/report/report.h"
#include "tocsin/contact.h"

namespace tocsin::selftest {

/// FNV-1a over contacts in their order. Equal contacts have equal hashes on every machine.
class ContactHash {
 public:
  void add(const Contact& contact);
  /// Sixteen hexadecimal digits.
  [[nodiscard]] std::string hex() const { return hash_.hex(); }

 private:
  void put_bits(std::uint64_t bits);
  void put(double x);
  void put(const Vec3& v);

  io::Fnv1a64 hash_;
};

}  // namespace tocsin::selftest
