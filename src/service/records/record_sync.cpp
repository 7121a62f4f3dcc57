#include "service/records/record_sync.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tocsin::service {
namespace {

/// A file or a folder, opened to be synced.
class Opened {
 public:
  explicit Opened(const std::filesystem::path& file)
      : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int get() const { return descriptor_; }

 private:
  int descriptor_;
};

int number_of(int result) { return result == 0 ? 0 : errno; }

int sync_data(int descriptor) {
  int wrong = 0;
  do {
    wrong = number_of(::fdatasync(descriptor));
  } while (wrong == EINTR);
  return wrong;
}

Status status_of(const std::filesystem::path& file, int wrong) {
  if (wrong == 0) return Nothing{};
  return Error{ErrorCode::kResource, fmt::format("cannot sync {}: {}", file.string(),
                                                 std::generic_category().message(wrong))};
}

}  // namespace

Status sync_path(const std::filesystem::path& file) {
  const Opened opened(file);
  if (opened.get() < 0) return status_of(file, errno);
  return status_of(file, number_of(::fsync(opened.get())));
}

SyncedFile::SyncedFile(const std::filesystem::path& file)
    : file_(file), descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)) {}

SyncedFile::~SyncedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RecordSync::RecordSync(std::filesystem::path folder, SyncFile sync)
    : folder_(std::move(folder)),
      sync_(sync ? std::move(sync) : SyncFile(&sync_data)),
      thread_([this] { run(); }) {}

RecordSync::~RecordSync() { end(); }

void RecordSync::add(std::shared_ptr<SyncedFile> file, Done done) {
  {
    const std::scoped_lock lock(mutex_);
    if (ended_) return;
    waiting_.push_back({std::move(file), std::move(done)});
  }
  wake_.notify_one();
}

void RecordSync::end() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void RecordSync::run() {
  while (true) {
    std::vector<Waiting> group;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      group.swap(waiting_);
    }
    sync_all(group);
  }
}

/// The disk's journal is written once for all: so the first file takes the time, and the others
/// find that theirs was written with it.
void RecordSync::sync_all(std::vector<Waiting>& group) {
  std::stable_sort(group.begin(), group.end(),
                   [](const Waiting& a, const Waiting& b) { return a.file < b.file; });
  const SyncedFile* before = nullptr;
  for (const Waiting& one : group) {
    if (one.file.get() == std::exchange(before, one.file.get())) continue;
    ::sync_file_range(one.file->descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE);
  }
  before = nullptr;
  Status status = Nothing{};
  for (Waiting& one : group) {
    if (one.file.get() != std::exchange(before, one.file.get())) status = sync_one(*one.file);
    one.done(status);
    one.done = nullptr;  // what it holds is freed here, one by one
  }
}

Status RecordSync::sync_one(SyncedFile& file) const {
  if (file.descriptor() < 0) return status_of(file.file_, EBADF);
  if (const int wrong = sync_(file.descriptor()); wrong != 0) return status_of(file.file_, wrong);
  if (file.entered_) return Nothing{};
  // Its name, its session's entry and its model are others' data: once, all of the disk's.
  const Opened folder(folder_);
  if (folder.get() < 0) return status_of(folder_, errno);
  const int wrong = number_of(::syncfs(folder.get()));
  file.entered_ = wrong == 0;
  return status_of(folder_, wrong);
}

}  // namespace tocsin::service
