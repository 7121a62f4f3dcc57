// A disk that is full, as far as a program can tell: no file may grow beyond a size.
#pragma once

#include <sys/resource.h>

#include <csignal>

namespace tocsin::test {

/// While it lives, this process and those that it starts fail to write beyond `bytes` of any file
/// (EFBIG, "File too large"). Keep its life short: it holds for the test's own output too.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};  // the hard one stays, so that it can be undone
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, signal_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*signal_)(int);
  rlimit before_{};
};

}  // namespace tocsin::test
