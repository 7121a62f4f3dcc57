#include "service/session/session_id.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <ctime>
#include <span>

#include "base/sha256.h"

namespace tocsin::service {
namespace {

template <std::size_t N>
std::optional<std::string> random_digits() {
  std::array<unsigned char, N> bytes{};
  // Up to 256 bytes come whole or not at all.
  if (getrandom(bytes.data(), N, 0) != static_cast<ssize_t>(N)) return std::nullopt;
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

}  // namespace

std::optional<std::string> random_session_id() { return random_digits<16>(); }

std::string shown_session(const std::string& id) {
  constexpr std::size_t kDigits = 12;
  return base::sha256_hex(id).substr(0, kDigits);
}

std::string record_stem(std::uint64_t number) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}{:02}{:02}-{:02}{:02}{:02}-{:06}-{}", utc.tm_year + 1900, utc.tm_mon + 1,
                     utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec, number,
                     random_digits<3>().value_or("000000"));
}

}  // namespace tocsin::service
