#include "service/metrics/process.h"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <iterator>
#include <system_error>

#include "base/process_memory.h"

namespace tocsin::service {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

std::uint64_t open_files() {
  std::error_code error;
  const std::filesystem::directory_iterator all("/proc/self/fd", error);
  if (error) return 0;
  const auto count = std::distance(begin(all), end(all));
  return static_cast<std::uint64_t>(count > 0 ? count - 1 : 0);  // one is the folder's
}

}  // namespace

ProcessFigures process_figures() {
  ProcessFigures out;
  const base::ProcessMemory memory = base::process_memory();
  out.resident = memory.resident;
  out.reserved = memory.reserved;
  out.open_files = open_files();
  struct rlimit files {};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) out.most_files = files.rlim_cur;
  struct rusage used {};
  if (::getrusage(RUSAGE_SELF, &used) == 0) {
    out.cpu_seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  }
  return out;
}

std::optional<std::uint64_t> free_bytes(const std::filesystem::path& folder) {
  struct statvfs disk {};
  if (::access(folder.c_str(), W_OK) != 0 || ::statvfs(folder.c_str(), &disk) != 0) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
}

}  // namespace tocsin::service
