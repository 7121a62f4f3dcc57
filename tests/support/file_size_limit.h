// A disk that is full, as far as a program can tell: no file may grow beyond a size.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

namespace tocsin::test {

/// What becomes of SIGXFSZ, which the kernel sends with the refusal, and which ends a process.
enum class SizeSignal { kIgnored, kAsItWas };

/// While it lives, this process and those that it starts fail to write beyond `bytes` of any file
/// (EFBIG, "File too large"). Keep its life short: it holds for the test's own output too.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes, SizeSignal signal = SizeSignal::kIgnored)
      : ignores_(signal == SizeSignal::kIgnored) {
    if (ignores_) signal_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};  // the hard one stays, so that it can be undone
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    if (ignores_) (void)std::signal(SIGXFSZ, signal_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  bool ignores_;
  void (*signal_)(int) = SIG_DFL;
  rlimit before_{};
};

}  // namespace tocsin::test
