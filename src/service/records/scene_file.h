// The .scene file beside a session's record (io/scene/scene_record.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/sha256.h"
#include "detect/scene/versions/scene_versions.h"
#include "io/scene/scene_mark.h"
#include "service/records/record_store.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// How a session's room changed. Lines are with the kernel when a call returns. Opened for each of
/// them: a room seldom changes, and descriptors are few. Not thread-safe. Errors (kResource): the
/// disk, or what the store may take; then the file may end in the midst of a line, and mark() does
/// not have it.
class SceneFile {
 public:
  /// `store`: null: no limits. `sync`: lines are on the disk when a call returns.
  SceneFile(std::filesystem::path file, std::shared_ptr<RecordStore> store, bool sync);

  /// `first`: the room as it differed from its files; null: it did not.
  Status begin(const SceneState* first);
  /// What the step from pose `step` on sees.
  Status add(const detect::SceneNews& news, std::int64_t step);

  /// How much of it the poses from now on stand after.
  [[nodiscard]] const io::SceneMark& mark() const { return mark_; }

 private:
  Status write(std::string_view lines);

  std::filesystem::path file_;
  std::shared_ptr<RecordStore> store_;
  bool sync_;
  base::Sha256 hash_;
  io::SceneMark mark_;
};

}  // namespace tocsin::service
