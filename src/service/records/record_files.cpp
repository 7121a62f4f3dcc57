#include "service/records/record_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <string_view>
#include <system_error>

#include "io/poses/record_head.h"
#include "io/report/report_reader.h"
#include "service/rooms/room_files.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;

std::set<std::string> hashes_of(const io::InputLog& inputs) {
  std::set<std::string> hashes;
  for (const io::InputRecord& input : inputs) hashes.insert(input.sha256);
  return hashes;
}

}  // namespace

std::vector<fs::directory_entry> entries_of(const fs::path& folder) {
  std::vector<fs::directory_entry> out;
  std::error_code error;
  fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) out.push_back(*at);
  return out;
}

LockedFile::LockedFile(const fs::path& file)
    : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {
  held_ = descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
}

LockedFile::~LockedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

LockedFolder::LockedFolder(const fs::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

LockedFolder::~LockedFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool is_held(const fs::path& folder, const std::string& stem) {
  const LockedFile lock(folder / (stem + ".poses"));
  return lock.exists() && !lock.held();
}

bool is_record_stem(const std::string& stem) {
  // 20260301-120000-000001-5d0c7c: date, time, number, random digits.
  const auto all = [](std::string_view text, std::string_view digits) {
    return !text.empty() && text.find_first_not_of(digits) == std::string_view::npos;
  };
  constexpr std::string_view kDecimal = "0123456789";
  const std::string_view text = stem;
  return text.size() >= 29 && text[8] == '-' && text[15] == '-' && text[text.size() - 7] == '-' &&
         all(text.substr(0, 8), kDecimal) && all(text.substr(9, 6), kDecimal) &&
         all(text.substr(16, text.size() - 23), kDecimal) &&
         all(text.substr(text.size() - 6), "0123456789abcdef");
}

std::vector<RecordFiles> records_in(const fs::path& folder) {
  std::map<std::string, RecordFiles> found;
  for (const fs::directory_entry& entry : entries_of(folder)) {
    const std::string name = entry.path().filename().string();
    const std::string stem = name.substr(0, name.find('.'));
    std::error_code gone;
    if (!is_record_stem(stem) || !entry.is_regular_file(gone)) continue;
    const std::uint64_t bytes = entry.file_size(gone);
    const fs::file_time_type time = gone ? fs::file_time_type() : entry.last_write_time(gone);
    if (gone) continue;
    RecordFiles& record = found[stem];
    record.stem = stem;
    record.files.push_back(entry.path());
    record.bytes += bytes;
    record.newest = std::max(record.newest, time);
  }
  std::vector<RecordFiles> out;
  out.reserve(found.size());
  for (auto& [stem, record] : found) out.push_back(std::move(record));
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.newest < b.newest; });
  return out;
}

bool delete_finished(const fs::path& folder, const RecordFiles& record) {
  const fs::path poses = folder / (record.stem + ".poses");
  const LockedFile lock(poses);
  if (lock.exists() && !lock.held()) return false;
  bool gone = true;
  std::error_code error;
  for (const fs::path& file : record.files) {
    if (file == poses) continue;
    fs::remove(file, error);
    gone = gone && !error;
  }
  fs::remove(poses, error);  // last: it is the lock
  return gone && !error;
}

std::optional<std::set<std::string>> rooms_of(const fs::path& folder, const std::string& stem) {
  if (const auto head = io::read_record_head(folder / (stem + ".poses"))) {
    return hashes_of(head->run.inputs);
  }
  // Of before heads had it.
  const auto report = io::read_report(folder / (stem + ".jsonl"));
  if (!report) return std::nullopt;
  return hashes_of(report->run.inputs);
}

std::vector<fs::path> kept_rooms(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const fs::directory_entry& place : entries_of(folder)) {
    std::error_code gone;
    if (!is_kept_folder(place.path().filename().string()) || !place.is_directory(gone)) continue;
    for (const fs::directory_entry& room : entries_of(place.path())) {
      if (room.is_regular_file(gone)) out.push_back(room.path());
    }
  }
  return out;
}

}  // namespace tocsin::service
