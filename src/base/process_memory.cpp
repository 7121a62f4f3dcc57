#include "base/process_memory.h"

#include <unistd.h>

#include <fstream>

namespace tocsin::base {

ProcessMemory process_memory() {
  std::ifstream in("/proc/self/statm");
  ProcessMemory pages;
  const long size = ::sysconf(_SC_PAGESIZE);
  if (!(in >> pages.reserved >> pages.resident) || size <= 0) return {};
  const auto bytes = static_cast<std::uint64_t>(size);
  return {pages.reserved * bytes, pages.resident * bytes};
}

}  // namespace tocsin::base
