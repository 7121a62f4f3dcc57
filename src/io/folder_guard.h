// Which other files a room's file may make its reader open.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tocsin::io {

/// True if `file` is `folder` or lies in it, component by component. Both absolute, without "..",
/// "." and symlinks.
bool lies_in(const std::filesystem::path& folder, const std::filesystem::path& file);

/// For as long as it lives, load_environment() on this thread opens no other file than the one that
/// it is given and regular files in a folder, wherever symlinks and ".." lead; and a file that asks
/// for more is refused (kUsage, naming what it asked for) instead of read in part. It is a property
/// of the thread, not an argument, because what must not slip past it are the calls that assimp
/// makes (RoomFiles), in a process of its own, which inherits it.
///
/// A path is looked at and then opened: whoever can change the folder's symlinks in between gets
/// past this. Only the operator writes there.
class FolderGuard {
 public:
  /// `folder`: absolute, without "..", "." and symlinks; empty: no other file at all.
  explicit FolderGuard(std::filesystem::path folder);
  FolderGuard(const FolderGuard&) = delete;
  FolderGuard& operator=(const FolderGuard&) = delete;
  ~FolderGuard();

  /// For readers: whether this thread may open a file. One that it may not is remembered.
  static bool allows(const std::string& file);
  /// The first file that was asked for and not allowed, as it was asked for.
  static std::optional<std::string> refused();

 private:
  std::filesystem::path folder_;
  std::optional<std::string> refused_;
  FolderGuard* outer_;
};

}  // namespace tocsin::io
