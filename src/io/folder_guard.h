// Restricts which other files a room's file may make its reader open.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace tocsin::io {

/// True if `file` is `folder` or lies in it, component by component. Both absolute, without "..",
/// "." and symlinks.
bool lies_in(const std::filesystem::path& folder, const std::filesystem::path& file);

/// What a reader is given that opens files named by another file. It allows files in one folder,
/// wherever symlinks and ".." lead, or all files. It has no default: the caller of a
/// reader says what may be read.
///
/// A path is checked and then opened. A process that changes the folder's symlinks in between can
/// bypass the guard. Only the operator may write there.
class FolderGuard {
 public:
  /// For files of the user's own: all is allowed.
  static FolderGuard anywhere() { return FolderGuard(std::nullopt); }
  /// `folder`: absolute, without "..", "." and symlinks; empty: no other file at all.
  explicit FolderGuard(std::filesystem::path folder) : folder_(std::move(folder)) {}

  [[nodiscard]] bool allows(const std::string& file) const;

 private:
  explicit FolderGuard(std::nullopt_t all) : folder_(all) {}

  std::optional<std::filesystem::path> folder_;  ///< none: all is allowed
};

}  // namespace tocsin::io
