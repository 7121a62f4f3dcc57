#include "service/records/scene_file.h"

#include <utility>

#include "base/appended_file.h"
#include "io/scene/scene_record.h"

namespace tocsin::service {

SceneFile::SceneFile(std::filesystem::path file, std::shared_ptr<RecordStore> store, bool sync)
    : file_(std::move(file)), store_(std::move(store)), sync_(sync) {}

Status SceneFile::begin(const SceneState* first) {
  std::string lines = io::scene_header();
  if (first != nullptr) lines += io::scene_state_line(*first) + io::scene_step_line(0);
  return write(lines);
}

Status SceneFile::add(const detect::SceneNews& news, std::int64_t step) {
  std::string lines;
  if (news.state) lines += io::scene_state_line(*news.state);
  for (const auto& change : news.changes) lines += io::scene_change_line(*change);
  lines += io::scene_step_line(step);
  return write(lines);
}

Status SceneFile::write(std::string_view lines) {
  if (store_) {
    if (Status may = store_->may_write(); !may) return may;
  }
  if (Status wrote = base::append_to_file(file_, lines, sync_); !wrote) return wrote;
  if (store_) store_->grew(lines.size());
  hash_.update(lines);
  mark_ = {mark_.bytes + lines.size(), base::Sha256(hash_).finish()};
  return Nothing{};
}

}  // namespace tocsin::service
