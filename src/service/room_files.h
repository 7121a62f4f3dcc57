// The files that a room is read from: which may be read, how clients see their names, where uploads
// lie.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/environments.h"
#include "tocsin/environment.h"
#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// Empty, or why a room cannot be called so.
std::string room_name_fault(const std::string& name);

/// Reads files from anywhere. Errors: as load_environment().
Result<RoomParts> read_room(std::span<const std::filesystem::path> files,
                            const EnvironmentOptions& options);

/// Reads files of a folder, `paths` relative to it. What they refer to must lie in it as well,
/// wherever symlinks lead. Errors: kUsage: a path that makes no sense or leaves the folder; else as
/// load_environment(); files named relative to the folder.
///
/// A path is looked at first and opened then: the folder's writers (the operator, not clients) are
/// trusted not to swap a symlink in between.
Result<RoomParts> read_room_in(const std::filesystem::path& folder,
                               std::span<const std::string> paths,
                               const EnvironmentOptions& options);

/// The one file of an upload, under the name that its client gave it, in a folder of its own that
/// goes with this object.
class UploadedFile {
 public:
  /// `bytes`: where they are. `name`: the client's for the file; names without a folder, with the
  /// extension of a room, are let through. Errors: kUsage: the name; kResource: the disk.
  static Result<UploadedFile> take(const std::filesystem::path& bytes, const std::string& name);
  UploadedFile() = default;
  UploadedFile(UploadedFile&& other) noexcept;
  UploadedFile& operator=(UploadedFile&& other) noexcept;
  UploadedFile(const UploadedFile&) = delete;
  UploadedFile& operator=(const UploadedFile&) = delete;
  ~UploadedFile();

  /// Errors: kUsage: it refers to other files; else as load_environment(); the file named as its
  /// client named it.
  [[nodiscard]] Result<RoomParts> read(const EnvironmentOptions& options) const;
  /// Keeps it as KEEP/<start of its hash>/<name>, where the same upload finds itself again, and
  /// says so in `file`. Errors (kResource): the disk.
  Status keep(const std::filesystem::path& folder, RoomFile& file) const;

 private:
  std::filesystem::path folder_;
  std::string name_;
};

}  // namespace tocsin::service
