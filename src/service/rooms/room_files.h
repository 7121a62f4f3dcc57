// The files that a room is read from: which may be read, how they are named to clients, and where
// uploads are stored.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/rooms/room.h"
#include "tocsin/environment.h"
#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// Empty, or why a room cannot have this name.
std::string room_name_fault(const std::string& name);

/// True if the files, in order, have these hashes.
bool have_hashes(const std::vector<RoomFile>& files, std::span<const std::string> hashes);

/// Reads files from anywhere. Errors: as load_environment().
Result<RoomParts> read_room(std::span<const std::filesystem::path> files,
                            const EnvironmentOptions& options);

/// Reads files of a folder, `paths` relative to it. Files that they refer to must lie in it as
/// well, after symlinks are resolved. Errors: kUsage: a path that is invalid or leaves the folder;
/// else as load_environment(); files named relative to the folder.
///
/// A path is checked first and opened then. The folder's writers (the operator, not clients) are
/// trusted not to exchange a symlink in between.
Result<RoomParts> read_room_in(const std::filesystem::path& folder,
                               std::span<const std::string> paths,
                               const EnvironmentOptions& options);

/// Reads the mesh of a shape for links from one file of a folder, which refers to no other. Errors:
/// as read_room_in().
Result<RoomParts> read_mesh_in(const std::filesystem::path& folder, const std::string& path);

/// room_bytes() of these files together. 0 of what read_room_in() refuses.
std::uint64_t bytes_in(const std::filesystem::path& folder, std::span<const std::string> paths);

/// The one file of an upload, under its client's name, in a private folder that is removed with
/// this object.
class UploadedFile {
 public:
  /// `bytes`: path of the file. `name`: the client's name for it; it must have no folder, and the
  /// extension of a room format, or of a mesh's if it is for a shape. Errors: kUsage: the name;
  /// kResource: the disk.
  static Result<UploadedFile> take(const std::filesystem::path& bytes, const std::string& name,
                                   bool shape = false);
  UploadedFile() = default;
  UploadedFile(UploadedFile&& other) noexcept;
  UploadedFile& operator=(UploadedFile&& other) noexcept;
  UploadedFile(const UploadedFile&) = delete;
  UploadedFile& operator=(const UploadedFile&) = delete;
  ~UploadedFile();

  /// Errors: kUsage: it refers to other files; else as load_environment(). Messages use the
  /// client's name.
  [[nodiscard]] Result<RoomParts> read(const EnvironmentOptions& options) const;
  /// The mesh of a shape for links. Errors: as read().
  [[nodiscard]] Result<RoomParts> read_mesh() const;
  /// Keeps it as `folder`/<start of its hash>/<name>, so equal uploads are kept once, and sets
  /// `file` accordingly. `added`: bytes more on the disk. Errors (kResource): the disk.
  Status keep(const std::filesystem::path& folder, RoomFile& file, std::uint64_t& added) const;

 private:
  std::filesystem::path folder_;
  std::string name_;
};

/// True for the names of folders that keep() makes.
bool is_kept_folder(const std::string& name);

}  // namespace tocsin::service
