// The folder of records: how much it may take of the disk, and what is deleted from it when.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "service/metrics/metrics.h"
#include "service/records/record_files.h"
#include "service/records/record_sync.h"
#include "service/session/session_problems.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// What the operator allows.
struct RecordRules {
  /// Bytes of the disk that stay free. Smaller: other programs on the disk fail first.
  std::uint64_t reserve = std::uint64_t{256} << 20U;
  std::uint64_t quota = 0;  ///< bytes of the whole folder; 0: no limit
  double days = 0.0;        ///< age at which a finished record is deleted; 0: never
  bool required = false;    ///< a session ends if it cannot be recorded
  double ttl = 60.0;        ///< seconds for which a session can be taken over
  bool sync = false;        ///< a report waits until its poses are on the disk
  RecordSync::SyncFile sync_file = nullptr;  ///< for tests: in place of fdatasync()
};

/// What was counted since the start. Thread-safe.
struct RecordCounts {
  Count deleted_records;
  Count deleted_bytes;
  Count deleted_rooms;
};

/// Thread-safe. One object of a process looks after a folder; several processes may share it.
///
/// A record is DIR/<stem>.poses and the files beside it of the same stem. It is finished if no
/// process holds the lock of its .poses file (flock), and its session cannot be taken over. Only
/// files with stems of record_stem() are touched, and rooms below DIR/rooms.
class RecordStore {
 public:
  /// Files of clients' rooms that are loaded now, by their full names.
  using RoomsInUse = std::function<std::set<std::filesystem::path>()>;

  RecordStore(std::filesystem::path folder, RecordRules rules, Log log);
  RecordStore(const RecordStore&) = delete;
  RecordStore& operator=(const RecordStore&) = delete;
  ~RecordStore();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] const RecordRules& rules() const { return rules_; }
  /// Null: nothing is synced.
  [[nodiscard]] RecordSync* sync() const { return sync_.get(); }

  /// Error (kResource): a limit is reached, which the message names. Asks the system at most four
  /// times a second, so that every pose can ask.
  Status may_write();
  /// The same for so many bytes at once; asks the system each time.
  [[nodiscard]] Status may_write(std::uint64_t bytes) const;
  /// A record grew by so many bytes.
  void grew(std::uint64_t bytes);

  // DIR/sessions/<SHA-256 of a session's id> holds the stem of its record, as long as the session
  // is not over: another server can take it over.
  /// Errors (kResource): the disk.
  Status enter(const std::string& id_sha256, const std::string& stem);
  /// Does nothing if another record is entered there now: another server has the session.
  void forget(const std::string& id_sha256, const std::string& stem);
  /// None: there is no such session, or it was left too long ago: its record did not grow for
  /// `ttl`, and this object has been there for as long.
  [[nodiscard]] std::optional<std::string> stem_of(const std::string& id_sha256) const;

  /// Tidies every ten seconds, and sooner when the quota is nearly used up, on a thread of its own.
  void start(RoomsInUse rooms);
  /// Deletes finished records that are too old; then, if the folder has more than 95 % of the
  /// quota, the oldest finished ones until it has 90 %; then clients' rooms (kept_rooms()) that no
  /// record needs, and that are neither in `rooms` nor younger than ten minutes. Those in `rooms`
  /// become young: another process on this folder must not delete them either. Says in the log what
  /// it deleted.
  void tidy(const std::set<std::filesystem::path>& rooms);

  /// Of the whole folder, as of the last tidying and of what grew since.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const RecordCounts& counts() const { return counts_; }

  /// Which limit is reached. Asks the system.
  enum class Full : std::uint8_t { kNo, kReserve, kQuota };
  [[nodiscard]] Full look() const { return look(0); }

 private:
  /// The same once `more` bytes are written.
  [[nodiscard]] Full look(std::uint64_t more) const;
  [[nodiscard]] Status status_of(Full full) const;

  [[nodiscard]] bool in_time(const std::string& stem) const;
  void drop_left_sessions(std::set<std::string>& kept);
  [[nodiscard]] bool stopping();
  /// What a tidying does.
  struct Tidied {
    std::uint64_t bytes = 0;  ///< of the folder, afterwards
    std::uint64_t records = 0;
    std::uint64_t rooms = 0;
    std::uint64_t freed = 0;
  };
  void delete_records(std::vector<RecordFiles>& records, Tidied& done);
  void delete_rooms(const std::vector<std::filesystem::path>& unused,
                    const std::vector<RecordFiles>& records, Tidied& done);
  /// The rooms that records need; none: a record may need any.
  std::optional<std::set<std::string>> needed_rooms(const std::vector<RecordFiles>& records);

  const std::filesystem::path folder_;
  const RecordRules rules_;
  const Log log_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> bytes_{0};
  std::atomic<std::int64_t> look_at_{0};  ///< nanoseconds of the steady clock
  std::atomic<Full> full_{Full::kNo};
  RecordCounts counts_;
  std::map<std::string, std::set<std::string>> rooms_of_;  ///< of records' stems; the tidier's

  std::mutex mutex_;  ///< of these
  std::condition_variable wake_;
  bool hurry_ = false;
  bool stop_ = false;
  std::thread tidier_;
  std::unique_ptr<RecordSync> sync_;
};

}  // namespace tocsin::service
