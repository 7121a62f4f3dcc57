#include "io/scene/scene_mark.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "base/sha256.h"
#include "base/text_file.h"

namespace tocsin::io {

Status check_scene_mark(const std::filesystem::path& file, const SceneMark& mark) {
  if (const std::string cause = base::not_a_file(file); !cause.empty()) {
    return base::file_error(file, cause);
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return base::file_error(file, "cannot be opened");
  base::Sha256 hash;
  std::array<char, std::size_t{1} << 16U> buffer{};
  std::uint64_t left = mark.bytes;
  while (left > 0) {
    in.read(buffer.data(), static_cast<std::streamsize>(std::min(left, buffer.size())));
    const auto got = static_cast<std::size_t>(in.gcount());
    if (got == 0) break;
    hash.update(std::string_view(buffer.data(), got));
    left -= got;
  }
  if (in.bad()) return base::file_error(file, "cannot be read");
  if (left > 0) {
    return base::file_error(
        file, fmt::format("lost its end: it has {} bytes, and the record's last pose stands after "
                          "{} of it",
                          mark.bytes - left, mark.bytes));
  }
  const std::string found = hash.finish();
  if (found == mark.sha256) return Nothing{};
  return base::file_error(
      file, fmt::format("is not the file that the record was made with: the sha256 of its first {} "
                        "bytes is {}, the record's last pose says {}",
                        mark.bytes, found, mark.sha256));
}

}  // namespace tocsin::io
