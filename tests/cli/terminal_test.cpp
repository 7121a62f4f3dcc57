// Where the system has no pseudo-terminal, a test that needs one ends at once and says so.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/command.h"

namespace tocsin::test::terminal_test {
namespace {

/// The `count` lowest descriptors that are free. They need not follow each other: whoever started
/// the test may have left some open.
std::vector<int> lowest_free(std::size_t count) {
  std::vector<int> free;
  for (std::size_t k = 0; k < count; ++k) free.push_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
  for (const int descriptor : free) close(descriptor);
  return free;
}

/// What an exception says; nothing if there is none.
std::string said_by(const std::exception_ptr& caught) {
  if (!caught) return {};
  try {
    std::rethrow_exception(caught);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

/// What Terminal says while only this many more files can be opened; nothing if it succeeds.
std::string said_with_files_left(std::size_t files) {
  const std::vector<int> free = lowest_free(files + 1);
  rlimit before{};
  EXPECT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(free.back());
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  // Looked at after the limit is lifted: a sanitizer opens a pipe to check a call of what().
  std::exception_ptr caught;
  try {
    const Terminal terminal;
  } catch (...) {
    caught = std::current_exception();
  }
  EXPECT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(lowest_free(files + 1), free) << "an end was left open";
  return said_by(caught);
}

TEST(Terminal, SaysWhenThereIsNone) {
  const std::string none = "no pseudo-terminal: mount /dev/pts (Too many open files)";
  EXPECT_EQ(said_with_files_left(0), none);  // no own end
  EXPECT_EQ(said_with_files_left(1), none);  // no end for the command
  EXPECT_EQ(said_with_files_left(2), "");
}

}  // namespace
}  // namespace tocsin::test::terminal_test
