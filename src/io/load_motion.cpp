// tocsin::load_motion: reads the file and hands it to the parser of its format.
#include <fmt/format.h>

#include <new>
#include <stdexcept>
#include <string>

#include "io/bvh.h"
#include "io/text_file.h"
#include "io/text_scanner.h"
#include "tocsin/io.h"

namespace tocsin {

Result<Motion> load_motion(const std::filesystem::path& file, const MotionOptions& options) {
  const std::string name = file.string();
  const Error no_memory{ErrorCode::kResource, fmt::format("{}: not enough memory", name)};
  try {
    if (!io::same_ignoring_case(file.extension().string(), ".bvh")) {
      return {ErrorCode::kInput,
              fmt::format("{}: not a known kind of motion; Tocsin reads .bvh", name)};
    }
    const Result<std::string> text = io::read_file(file);
    if (!text.ok()) return text.error();
    return io::parse_bvh(text, name, options);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::length_error&) {  // a container that would be larger than memory can be
    return no_memory;
  }
}

}  // namespace tocsin
