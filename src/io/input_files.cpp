#include "io/input_files.h"

#include <utility>

#include "base/sha256.h"
#include "base/utf8.h"

namespace tocsin::io {

Result<std::string> read_input(const std::filesystem::path& file, std::string_view role,
                               InputLog* log, std::size_t max_bytes) {
  Result<std::string> bytes = base::read_file(file, max_bytes);
  if (bytes.ok() && log != nullptr) {
    log->push_back({std::string(role), file.string(), base::sha256_hex(*bytes)});
  }
  return bytes;
}

Result<std::string> read_text_input(const std::filesystem::path& file, std::string_view role,
                                    InputLog* log, std::size_t max_bytes) {
  Result<std::string> bytes = read_input(file, role, log, max_bytes);
  if (!bytes.ok()) return bytes;
  std::string text = std::move(bytes).value();
  if (const std::string fault = base::make_utf8(text); !fault.empty()) {
    return base::file_error(file, fault);
  }
  return text;
}

}  // namespace tocsin::io
