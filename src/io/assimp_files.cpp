#include "io/assimp_files.h"

#include <assimp/MemoryIOWrapper.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tocsin::io {

RoomFiles::RoomFiles(std::string main_file, std::string_view bytes)
    : main_file_(std::move(main_file)), bytes_(bytes) {}

bool RoomFiles::Exists(const char* file) const {
  return main_file_ == file || Assimp::DefaultIOSystem::Exists(file);
}

Assimp::IOStream* RoomFiles::Open(const char* file, const char* mode) {
  if (std::strpbrk(mode, "wa+") != nullptr) return nullptr;
  if (main_file_ == file) {
    return new Assimp::MemoryIOStream(reinterpret_cast<const std::uint8_t*>(bytes_.data()),
                                      bytes_.size());
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return nullptr;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error || size > kMaxRoomBytes) return nullptr;
  return Assimp::DefaultIOSystem::Open(file, mode);
}

// Both kinds of stream have a virtual destructor, and assimp's own Close does no more than this.
void RoomFiles::Close(Assimp::IOStream* stream) { delete stream; }

}  // namespace tocsin::io
