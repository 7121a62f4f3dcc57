#include "io/import/assimp_files.h"

#include <assimp/MemoryIOWrapper.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tocsin::io {
namespace {

/// The same text for every spelling of a path that names the same entry of the same folder.
std::string normal(const std::string& file) {
  return std::filesystem::path(file).lexically_normal().string();
}

}  // namespace

RoomFiles::RoomFiles(const std::string& main_file, std::string_view bytes,
                     std::span<const BufferFile> buffers, FolderGuard guard)
    : guard_(std::move(guard)) {
  files_.emplace_back(normal(main_file), bytes);
  for (const BufferFile& buffer : buffers) files_.emplace_back(normal(buffer.file), buffer.bytes);
}

const std::string_view* RoomFiles::find(const std::string& file) const {
  for (const std::string& path : {normal(file), normal(decoded_path(file))}) {
    for (const auto& [name, bytes] : files_) {
      if (name == path) return &bytes;
    }
  }
  return nullptr;
}

const std::string_view* RoomFiles::add(const std::string& file) {
  if (!Exists(file.c_str())) return nullptr;
  Result<std::string> bytes = read_input(decoded_path(file), "buffer", &read_, kMaxRoomBytes);
  if (!bytes.ok()) return nullptr;
  contents_.push_back(std::move(*bytes));
  files_.emplace_back(normal(file), contents_.back());
  return &files_.back().second;
}

// assimp's own looks by opening, which hangs at a pipe.
bool RoomFiles::Exists(const char* file) const {
  if (find(file) != nullptr) return true;
  const std::string meant = decoded_path(file);
  if (!guard_.allows(meant)) {
    if (!refused_) refused_ = meant;
    return false;
  }
  std::error_code error;
  return std::filesystem::is_regular_file(meant, error);
}

Assimp::IOStream* RoomFiles::Open(const char* file, const char* mode) {
  if (std::strpbrk(mode, "wa+") != nullptr) return nullptr;
  const std::string_view* bytes = find(file);
  if (bytes == nullptr) bytes = add(file);
  if (bytes == nullptr) return nullptr;
  return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes->data()),
                                    bytes->size());
}

// The stream has a virtual destructor, and assimp's own Close does no more than this.
void RoomFiles::Close(Assimp::IOStream* stream) { delete stream; }

}  // namespace tocsin::io
