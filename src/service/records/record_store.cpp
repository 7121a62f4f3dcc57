#include "service/records/record_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "base/sha256.h"
#include "service/metrics/process.h"
#include "service/records/record_files.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// How often poses may ask the system for free space. A disk is not filled by much in that time.
constexpr std::chrono::milliseconds kLookAgain{250};
constexpr std::chrono::seconds kTidyAgain{10};
/// A room that is just being loaded has a file, and no record yet.
constexpr std::chrono::minutes kYoungRoom{10};

constexpr const char* kSessions = "sessions";

std::uint64_t mebibytes(std::uint64_t bytes) { return bytes >> 20U; }

std::uint64_t share(std::uint64_t bytes, std::uint64_t percent) { return bytes / 100 * percent; }

std::uint64_t bytes_of(const std::vector<RecordFiles>& records,
                       const std::vector<fs::path>& rooms) {
  std::uint64_t out = 0;
  for (const RecordFiles& record : records) out += record.bytes;
  for (const fs::path& room : rooms) {
    std::error_code gone;
    const std::uint64_t bytes = fs::file_size(room, gone);
    out += gone ? 0 : bytes;
  }
  return out;
}

/// The stem that a session's entry names; empty: there is no entry.
std::string entered_in(const fs::path& entry) {
  std::ifstream in(entry);
  std::string stem;
  std::getline(in, stem);
  return stem;
}

}  // namespace

RecordStore::RecordStore(fs::path folder, RecordRules rules, Log log)
    : folder_(fs::absolute(folder)), rules_(rules), log_(std::move(log)) {
  bytes_ = bytes_of(records_in(folder_), kept_rooms(folder_ / "rooms"));
  if (rules_.sync) sync_ = std::make_unique<RecordSync>(folder_, rules_.sync_file);
}

RecordStore::~RecordStore() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (tidier_.joinable()) tidier_.join();
}

RecordStore::Full RecordStore::look(std::uint64_t more) const {
  const auto free = free_bytes(folder_);
  if (free && (*free < more || *free - more < rules_.reserve)) return Full::kReserve;
  return rules_.quota > 0 && bytes_ + more > rules_.quota ? Full::kQuota : Full::kNo;
}

Status RecordStore::may_write() {
  const std::int64_t now = Clock::now().time_since_epoch().count();
  std::int64_t due = look_at_;
  const std::int64_t next = now + std::chrono::nanoseconds(kLookAgain).count();
  if (now >= due && look_at_.compare_exchange_strong(due, next)) full_ = look();
  return status_of(full_);
}

Status RecordStore::may_write(std::uint64_t bytes) const { return status_of(look(bytes)); }

Status RecordStore::status_of(Full full) const {
  switch (full) {
    case Full::kReserve:
      return {ErrorCode::kResource, fmt::format("{}: less than {} MiB are free", folder_.string(),
                                                mebibytes(rules_.reserve))};
    case Full::kQuota:
      return {ErrorCode::kResource, fmt::format("{}: the quota of {} MiB is used up",
                                                folder_.string(), mebibytes(rules_.quota))};
    case Full::kNo:
      break;
  }
  return Nothing{};
}

void RecordStore::grew(std::uint64_t bytes) {
  const std::uint64_t before = bytes_.fetch_add(bytes);
  const std::uint64_t mark = share(rules_.quota, 95);
  if (rules_.quota == 0 || before > mark || before + bytes <= mark) return;
  {
    const std::lock_guard lock(mutex_);
    hurry_ = true;
  }
  wake_.notify_all();
}

Status RecordStore::enter(const std::string& id_sha256, const std::string& stem) {
  std::error_code error;
  fs::create_directories(folder_ / kSessions, error);
  const LockedFolder alone(folder_ / kSessions);
  base::OutputFile file;
  if (Status opened = file.open((folder_ / kSessions / id_sha256).string()); !opened) return opened;
  if (!file.write(stem + "\n")) return file.error();
  if (Status finished = file.finish(); !finished || !rules_.sync) return finished;
  for (const fs::path& lasting : {folder_ / kSessions / id_sha256, folder_ / kSessions, folder_}) {
    if (Status synced = sync_path(lasting); !synced) return synced;
  }
  return Nothing{};
}

void RecordStore::forget(const std::string& id_sha256, const std::string& stem) {
  if (id_sha256.empty() || stem.empty()) return;
  std::error_code ignored;
  const fs::path entry = folder_ / kSessions / id_sha256;
  const LockedFolder alone(folder_ / kSessions);
  if (entered_in(entry) == stem) fs::remove(entry, ignored);
}

std::optional<std::string> RecordStore::stem_of(const std::string& id_sha256) const {
  std::string stem = entered_in(folder_ / kSessions / id_sha256);
  if (!is_record_stem(stem) || !in_time(stem)) return std::nullopt;
  return stem;
}

bool RecordStore::in_time(const std::string& stem) const {
  const std::chrono::duration<double> ttl(rules_.ttl);
  if (Clock::now() - since_ < ttl) return true;
  std::error_code gone;
  const auto grew = fs::last_write_time(folder_ / (stem + ".poses"), gone);
  return !gone && fs::file_time_type::clock::now() - grew < ttl;
}

/// Entries of sessions that were left too long ago go, if no process has them. `kept`: the stems of
/// the others.
void RecordStore::drop_left_sessions(std::set<std::string>& kept) {
  std::error_code error;
  for (const fs::directory_entry& at : entries_of(folder_ / kSessions)) {
    const fs::path& entry = at.path();
    const LockedFolder alone(folder_ / kSessions);  // another server may just take it over
    const std::string stem = entered_in(entry);
    if (is_record_stem(stem) && (in_time(stem) || is_held(folder_, stem))) {
      kept.insert(stem);
    } else if (is_record_stem(stem)) {  // not one that is being written
      fs::remove(entry, error);
    }
  }
}

void RecordStore::start(RoomsInUse rooms) {
  tidier_ = std::thread([this, rooms = std::move(rooms)] {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      hurry_ = false;
      lock.unlock();
      try {
        tidy(rooms());
      } catch (const std::exception&) {  // memory: tried again next time
      }
      lock.lock();
      wake_.wait_for(lock, kTidyAgain, [this] { return stop_ || hurry_; });
    }
  });
}

bool RecordStore::stopping() {
  const std::lock_guard lock(mutex_);
  return stop_;
}

void RecordStore::delete_records(std::vector<RecordFiles>& records, Tidied& done) {
  const auto now = fs::file_time_type::clock::now();
  const std::chrono::duration<double, std::ratio<86'400>> age(rules_.days);
  bool crowded = rules_.quota > 0 && done.bytes > share(rules_.quota, 95);
  std::set<std::string> taken;
  drop_left_sessions(taken);
  std::erase_if(records, [&](const RecordFiles& record) {
    if (taken.contains(record.stem)) return false;
    crowded = crowded && done.bytes > share(rules_.quota, 90);
    const bool old = rules_.days > 0.0 && now - record.newest > age;
    if (!(old || crowded) || !delete_finished(folder_, record)) return false;
    done.bytes -= record.bytes;
    done.freed += record.bytes;
    ++done.records;
    return true;
  });
}

std::optional<std::set<std::string>> RecordStore::needed_rooms(
    const std::vector<RecordFiles>& records) {
  std::map<std::string, std::set<std::string>> known;
  std::set<std::string> out;
  for (const RecordFiles& record : records) {
    if (stopping()) return std::nullopt;
    // A record's head never changes: it is read once.
    const auto before = rooms_of_.find(record.stem);
    std::optional<std::set<std::string>> rooms =
        before != rooms_of_.end() ? before->second : rooms_of(folder_, record.stem);
    if (!rooms) return std::nullopt;
    out.insert(rooms->begin(), rooms->end());
    known.emplace(record.stem, std::move(*rooms));
  }
  rooms_of_ = std::move(known);
  return out;
}

void RecordStore::delete_rooms(const std::vector<fs::path>& unused,
                               const std::vector<RecordFiles>& records, Tidied& done) {
  if (unused.empty()) return;
  const auto needed = needed_rooms(records);
  if (!needed) return;
  for (const fs::path& room : unused) {
    // The folder is named by the first digits of the hash.
    const std::string digits = room.parent_path().filename().string();
    const auto at = needed->lower_bound(digits);
    if (at != needed->end() && at->starts_with(digits)) continue;
    if (stopping()) return;
    const auto hash = base::sha256_file(room);
    if (!hash || !hash->starts_with(digits)) continue;  // not what keep() has put there
    std::error_code gone;
    const std::uint64_t size = fs::file_size(room, gone);
    if (gone || !fs::remove(room, gone) || gone) continue;
    fs::remove(room.parent_path(), gone);  // unless it has others
    done.bytes -= std::min(done.bytes, size);
    done.freed += size;
    ++done.rooms;
  }
}

void RecordStore::tidy(const std::set<fs::path>& rooms) {
  const std::uint64_t before = bytes_;
  std::vector<RecordFiles> records = records_in(folder_);
  const std::vector<fs::path> stored = kept_rooms(folder_ / "rooms");
  Tidied done{bytes_of(records, stored), 0, 0, 0};
  delete_records(records, done);
  std::vector<fs::path> unused;
  const auto now = fs::file_time_type::clock::now();
  for (const fs::path& room : stored) {
    std::error_code gone;
    if (rooms.contains(room)) {
      fs::last_write_time(room, now, gone);
    } else if (now - fs::last_write_time(room, gone) >= kYoungRoom && !gone) {
      unused.push_back(room);
    }
  }
  delete_rooms(unused, records, done);
  bytes_.fetch_add(done.bytes - before);  // what grew meanwhile stays counted
  counts_.deleted_records.add(done.records);
  counts_.deleted_bytes.add(done.freed);
  counts_.deleted_rooms.add(done.rooms);
  if (done.records + done.rooms > 0 && log_) {
    log_(fmt::format("records: {} deleted, and {} rooms that none needs; {:.1f} MiB", done.records,
                     done.rooms, static_cast<double>(done.freed) / (1 << 20U)));
  }
}

}  // namespace tocsin::service
