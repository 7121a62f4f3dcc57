// How assimp gets at files.
#pragma once

#include <assimp/DefaultIOSystem.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace tocsin::io {

/// Bytes. assimp's importers hold several copies of a file; a room beyond this needs its own
/// format.
inline constexpr std::size_t kMaxRoomBytes = std::size_t{1} << 31U;

/// Serves the room file from memory, so that what was checked is what is read, and files that it
/// refers to from disk: regular ones of at most kMaxRoomBytes (a pipe would hang, a device has no
/// end), for reading only, and none that a FolderGuard does not allow.
class RoomFiles final : public Assimp::DefaultIOSystem {
 public:
  /// `bytes` must outlive this object.
  RoomFiles(std::string main_file, std::string_view bytes);

  bool Exists(const char* file) const override;
  Assimp::IOStream* Open(const char* file, const char* mode) override;
  void Close(Assimp::IOStream* stream) override;

 private:
  std::string main_file_;
  std::string_view bytes_;
};

}  // namespace tocsin::io
