#include "io/input_files.h"

#include "base/sha256.h"

namespace tocsin::io {

Result<std::string> read_input(const std::filesystem::path& file, std::string_view role,
                               InputLog* log, std::size_t max_bytes) {
  Result<std::string> bytes = base::read_file(file, max_bytes);
  if (bytes.ok() && log != nullptr) {
    log->push_back({std::string(role), file.string(), base::sha256_hex(*bytes)});
  }
  return bytes;
}

}  // namespace tocsin::io
