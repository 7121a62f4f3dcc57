#include "io/assimp_files.h"

#include <assimp/MemoryIOWrapper.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "io/folder_guard.h"
#include "io/referenced_files.h"

namespace tocsin::io {

RoomFiles::RoomFiles(std::string main_file, std::string_view bytes)
    : main_file_(std::move(main_file)), bytes_(bytes) {}

// assimp's own looks by opening, which hangs at a pipe.
bool RoomFiles::Exists(const char* file) const {
  if (main_file_ == file) return true;
  const std::string meant = decoded_path(file);
  std::error_code error;
  return FolderGuard::allows(meant) && std::filesystem::is_regular_file(meant, error);
}

Assimp::IOStream* RoomFiles::Open(const char* file, const char* mode) {
  if (std::strpbrk(mode, "wa+") != nullptr) return nullptr;
  if (main_file_ == file) {
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes_.data()),
                                      bytes_.size());
  }
  if (!Exists(file)) return nullptr;
  const std::string meant = decoded_path(file);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(meant, error);
  if (error || size > kMaxRoomBytes) return nullptr;
  return Assimp::DefaultIOSystem::Open(meant.c_str(), mode);
}

// Both kinds of stream have a virtual destructor, and assimp's own Close does no more than this.
void RoomFiles::Close(Assimp::IOStream* stream) { delete stream; }

}  // namespace tocsin::io
