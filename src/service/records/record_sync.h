// Makes what records hold lasting, before reports say that it was covered (`serve --record-sync`).
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::service {

/// A file that grows, by a descriptor of its own: its writer may close it at any time.
class SyncedFile {
 public:
  explicit SyncedFile(const std::filesystem::path& file);
  SyncedFile(const SyncedFile&) = delete;
  SyncedFile& operator=(const SyncedFile&) = delete;
  ~SyncedFile();
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  friend class RecordSync;
  const std::filesystem::path file_;
  int descriptor_;        ///< below 0: it could not be opened
  bool entered_ = false;  ///< its name lasts, too; the syncer's
};

/// Makes a file or a folder lasting, at once. Errors (kResource): file and cause.
Status sync_path(const std::filesystem::path& file);

/// Group commit: one thread takes all that waits, starts the writing of all files, and waits for
/// one after the other. What comes meanwhile is the next group. Thread-safe.
class RecordSync {
 public:
  /// Returns 0 or the system's error number. For tests: in place of fdatasync().
  using SyncFile = std::function<int(int descriptor)>;
  /// Called by the thread, without a lock. Must not throw or wait.
  using Done = std::function<void(const Status& status)>;

  /// `folder`: of the files. `sync`: null: fdatasync().
  explicit RecordSync(std::filesystem::path folder, SyncFile sync = nullptr);
  RecordSync(const RecordSync&) = delete;
  RecordSync& operator=(const RecordSync&) = delete;
  /// end()
  ~RecordSync();

  /// Once all that was written to the file before this call is on the disk, with its name, `done`
  /// is called. Errors (kResource): file and cause. Throws std::bad_alloc. After end() nothing
  /// happens.
  void add(std::shared_ptr<SyncedFile> file, Done done);
  /// Does all that waits, and nothing after that.
  void end();

 private:
  struct Waiting {
    std::shared_ptr<SyncedFile> file;
    Done done;
  };
  void run();
  void sync_all(std::vector<Waiting>& group);
  Status sync_one(SyncedFile& file) const;

  const std::filesystem::path folder_;
  const SyncFile sync_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Waiting> waiting_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace tocsin::service
