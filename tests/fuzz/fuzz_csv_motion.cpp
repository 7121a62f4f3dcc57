// Any bytes as the table of a body's motion: an error that names the file, or a sound motion.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/shape/csv_motion.h"
#include "require.h"
#include "sound_motion.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = tocsin::io::parse_csv_motion(text, "fuzz.csv");
  if (!read.ok()) {
    TOCSIN_REQUIRE(read.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(read.error().message.starts_with("fuzz.csv:"));
    TOCSIN_REQUIRE(read.error().message.size() < 2000);
    return 0;
  }
  TOCSIN_REQUIRE(read->motion.skeleton().size() == 1);
  TOCSIN_REQUIRE(std::fabs(read->start) <= 1e6);
  tocsin::test::require_sound(read->motion);
  return 0;
}
