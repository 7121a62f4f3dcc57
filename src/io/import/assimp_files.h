// assimp's access to files.
#pragma once

#include <assimp/DefaultIOSystem.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/folder_guard.h"
#include "io/import/buffer_files.h"
#include "io/input_files.h"

namespace tocsin::io {

/// Serves a file and its buffers from memory, so that what was checked and hashed is what is read.
/// Other files that it refers to (an X3D's scenes) are read whole when they are asked for: regular
/// ones of at most kMaxRoomBytes (a pipe would hang, a device has no end), for reading only, and
/// none that the guard does not allow. The first of those is remembered.
class RoomFiles final : public Assimp::DefaultIOSystem {
 public:
  /// `bytes` and `buffers` must outlive this object.
  RoomFiles(const std::string& main_file, std::string_view bytes,
            std::span<const BufferFile> buffers, FolderGuard guard);

  bool Exists(const char* file) const override;
  Assimp::IOStream* Open(const char* file, const char* mode) override;
  void Close(Assimp::IOStream* stream) override;

  /// The first file that was asked for and not allowed, as it was asked for.
  [[nodiscard]] const std::optional<std::string>& refused() const { return refused_; }
  /// The other files that were read.
  [[nodiscard]] const InputLog& read() const { return read_; }

 private:
  /// The bytes of a file; null if it is none of these.
  [[nodiscard]] const std::string_view* find(const std::string& file) const;

  /// Reads another file; null: there is none that may be read.
  const std::string_view* add(const std::string& file);

  std::vector<std::pair<std::string, std::string_view>> files_;  ///< by normal paths
  FolderGuard guard_;
  InputLog read_;
  std::deque<std::string> contents_;            ///< of the other files
  mutable std::optional<std::string> refused_;  ///< assimp asks by a const function
};

}  // namespace tocsin::io
