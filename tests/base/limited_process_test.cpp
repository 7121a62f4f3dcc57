// Work in a child process: results, and every way in which a child can fail.
#include "base/limited_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/sanitized.h"
#include "support/file_size_limit.h"
#include "support/test_folder.h"

namespace tocsin::base::limited_process_test {
namespace {

using std::chrono::milliseconds;
constexpr std::uint64_t kMemory = std::uint64_t{256} << 20U;

LimitedWork work(milliseconds time = milliseconds(60'000)) {
  return {"take.glb", "assimp", time, kMemory};
}

/// The message of a run that must fail as bad input.
std::string failure(const std::function<Status(ChildOutput&)>& body,
                    milliseconds time = milliseconds(60'000)) {
  const Result<ChildBytes> result = run_limited(work(time), body);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kInput);
  return result.error().message;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

bool has_children() {
  int status = 0;
  return ::waitpid(-1, &status, WNOHANG) >= 0 || errno != ECHILD;
}

volatile int sink = 0;

TEST(LimitedProcess, GivesWhatTheChildWrote) {
  const std::string before = "seen as it is";
  const Result<ChildBytes> result = run_limited(work(), [&](ChildOutput& output) -> Status {
    output.write(before);
    output.write("");
    output.write(", and more");
    return Nothing{};
  });
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->view(), "seen as it is, and more");
  const Result<ChildBytes> nothing =
      run_limited(work(), [](ChildOutput&) -> Status { return Nothing{}; });
  EXPECT_TRUE(nothing.ok());
  EXPECT_TRUE(nothing->view().empty());
}

TEST(LimitedProcess, GivesAHundredMegabytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  const Result<ChildBytes> result = run_limited(work(), [](ChildOutput& output) -> Status {
    for (int i = 0; i < 100; ++i) {
      output.write(std::string(kPiece - 1, static_cast<char>('A' + i % 26)));
      output.write("|");
    }
    return Nothing{};
  });
  ASSERT_TRUE(result.ok()) << result.error().message;
  ASSERT_EQ(result->view().size(), 100 * kPiece);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(result->view()[i * kPiece], static_cast<char>('A' + i % 26));
    EXPECT_EQ(result->view()[(i + 1) * kPiece - 1], '|');
  }
}

TEST(LimitedProcess, GivesTheErrorThatTheBodyReturns) {
  const std::string text(300'000, 'x');
  for (const ErrorCode code : {ErrorCode::kInput, ErrorCode::kResource, ErrorCode::kUsage}) {
    const Result<ChildBytes> result = run_limited(work(), [&](ChildOutput& output) -> Status {
      output.write(std::string(200'000, 'y'));  // is not part of the message
      return {code, text};
    });
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, code);
    EXPECT_EQ(result.error().message, text);
  }
}

TEST(LimitedProcess, ExceptionsAreErrors) {
  EXPECT_EQ(failure([](ChildOutput&) -> Status { throw std::runtime_error("no such chunk"); }),
            "take.glb: assimp failed: no such chunk");
  EXPECT_EQ(failure([](ChildOutput&) -> Status { throw 1; }),
            "take.glb: assimp failed: without a reason");
}

TEST(LimitedProcess, ACrashIsAnErrorWithItsSignal) {
  const auto raised = [](int signal) {
    return failure([signal](ChildOutput& output) -> Status {
      output.write("half a result");
      std::signal(signal, SIG_DFL);  // a sanitizer's handler would exit instead
      std::raise(signal);
      return Nothing{};
    });
  };
  EXPECT_EQ(raised(SIGSEGV), "take.glb: assimp crashed (signal 11) on it");
  EXPECT_EQ(raised(SIGABRT), "take.glb: assimp crashed (signal 6) on it");
  EXPECT_EQ(raised(SIGKILL), "take.glb: assimp crashed (signal 9) on it");
  // Ending without a word is no success either.
  EXPECT_EQ(failure([](ChildOutput&) -> Status { ::_exit(0); }), "take.glb: assimp crashed on it");
}

TEST(LimitedProcess, ARealFaultIsACrash) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer reports it and exits";
  EXPECT_EQ(failure([](ChildOutput&) -> Status {
              volatile int* volatile nowhere = nullptr;
              *nowhere = 1;
              return Nothing{};
            }),
            "take.glb: assimp crashed (signal 11) on it");
}

TEST(LimitedProcess, AHangIsEnded) {
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(failure(
                [](ChildOutput&) -> Status {
                  for (;;) sink = sink + 1;
                },
                milliseconds(300)),
            "take.glb: assimp took longer than 0.3 s on it");
  // Closing everything does not keep us waiting for its end.
  failure(
      [](ChildOutput&) -> Status {
        for (int i = 0; i < 100; ++i) ::close(i);
        for (;;) ::pause();
      },
      milliseconds(300));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(LimitedProcess, MemoryIsLimited) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve terabytes: no limit there";
  const std::string expected = "take.glb: assimp needs more than 0.2 GiB of memory for it";
  EXPECT_EQ(failure([](ChildOutput&) -> Status {
              std::vector<std::string> all;
              for (;;) all.emplace_back(std::size_t{1} << 20U, 'x');
            }),
            expected);
  // Also if somebody catches what operator new throws.
  EXPECT_EQ(failure([](ChildOutput&) -> Status {
              try {
                const std::string much(std::size_t{1} << 30U, 'x');
                sink = much[5];
              } catch (const std::bad_alloc&) {
              }
              return Nothing{};
            }),
            expected);
  // What fits is let through.
  EXPECT_TRUE(run_limited(work(), [](ChildOutput&) -> Status {
                const std::string some(std::size_t{128} << 20U, 'x');
                sink = some[5];
                return Nothing{};
              }).ok());
}

TEST(LimitedProcess, ALimitOnTheSizeOfFilesIsNoCrash) {
  const std::string much(300'000, 'x');
  const auto body = [&](ChildOutput& output) -> Status {
    output.write(much);
    return Nothing{};
  };
  {
    const test::FileSizeLimit limit(1000, test::SizeSignal::kAsItWas);  // which may be raised
    const Result<ChildBytes> result = run_limited(work(), body);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->view(), much);
  }
  // One that may not: in a process of its own, as it cannot be lifted again.
  const Result<ChildBytes> result = run_limited(work(), [&](ChildOutput& output) -> Status {
    const struct rlimit hard { 1000, 1000 };
    if (::setrlimit(RLIMIT_FSIZE, &hard) != 0) return {ErrorCode::kUsage, "no limit could be set"};
    const Result<ChildBytes> inner = run_limited(work(), body);
    const Result<ChildBytes> error = run_limited(work(), [&](ChildOutput&) -> Status {
      return {ErrorCode::kInput, much};
    });
    const Result<ChildBytes> small = run_limited(work(), [](ChildOutput& out) -> Status {
      out.write("fits");
      return Nothing{};
    });
    for (const Result<ChildBytes>* one : {&inner, &error}) {
      if (one->ok() || one->error().code != ErrorCode::kResource) output.write("no kResource; ");
      output.write(one->ok() ? "" : one->error().message + "; ");
    }
    output.write(small->view());
    return Nothing{};
  });
  ASSERT_TRUE(result.ok()) << result.error().message;
  const std::string expected =
      "take.glb: no room for what assimp makes of it: not enough memory, or a limit on the size of "
      "files (ulimit -f); ";
  EXPECT_EQ(result->view(), expected + expected + "fits");
}

TEST(LimitedProcess, AnEndingThatIsNoneIsACrash) {
  const auto said = [](const char* record) {
    return failure([record](ChildOutput&) -> Status {
      // The child's end of the pipe is one of the few that are open.
      for (int i = 3; i < 1000; ++i) {
        if (::lseek(i, 0, SEEK_CUR) < 0 && errno == ESPIPE && ::write(i, record, 2) < 0) break;
      }
      ::_exit(0);
    });
  };
  EXPECT_EQ(said("zz"), "take.glb: assimp crashed on it");
  EXPECT_EQ(said("e\x63"), "take.glb: assimp crashed on it");
  EXPECT_EQ(said("d\xFF"), "take.glb: assimp crashed on it");
}

TEST(LimitedProcess, LeavesNothingBehind) {
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(run_limited(work(), [](ChildOutput& output) -> Status {
                  output.write("x");
                  return Nothing{};
                }).ok());
    failure([](ChildOutput&) -> Status { ::_exit(3); });
  }
  failure(
      [](ChildOutput&) -> Status {
        for (;;) ::pause();
      },
      milliseconds(50));
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_FALSE(has_children());
}

TEST(LimitedProcess, TheChildHasNoOpenFilesAndRunsNoExitHandlers) {
  const test::TestFolder folder;
  const std::string file = (folder.path() / "file").string();
  std::FILE* const stream = std::fopen(file.c_str(), "w");
  ASSERT_NE(stream, nullptr);
  std::fputs("once", stream);  // still in the buffer, of which the child has a copy
  static bool in_child = false;
  static const std::string mark = file + ".exit";
  std::atexit([] {
    if (in_child) std::filesystem::create_directory(mark);
  });
  const int held = ::fileno(stream);
  const Result<ChildBytes> result = run_limited(work(), [&](ChildOutput& output) -> Status {
    in_child = true;
    output.write(::fcntl(held, F_GETFD) < 0 ? "closed" : "open");
    return Nothing{};
  });
  EXPECT_EQ(result->view(), "closed");
  std::fclose(stream);
  EXPECT_EQ(std::filesystem::file_size(file), 4U);
  EXPECT_FALSE(std::filesystem::exists(mark));
  std::filesystem::remove(file);
}

TEST(LimitedProcess, WorksWhileSigchldIsIgnored) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const Result<ChildBytes> good = run_limited(work(), [](ChildOutput& output) -> Status {
    output.write("good");
    return Nothing{};
  });
  EXPECT_EQ(good->view(), "good");
  // Nobody can learn the signal then.
  EXPECT_EQ(failure([](ChildOutput&) -> Status { ::_exit(1); }), "take.glb: assimp crashed on it");
  EXPECT_EQ(failure(
                [](ChildOutput&) -> Status {
                  for (;;) ::pause();
                },
                milliseconds(50)),
            "take.glb: assimp took longer than 0.05 s on it");
  std::signal(SIGCHLD, before);
}

TEST(LimitedProcess, SignalsDoNotDisturbTheWait) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(::sigaction(SIGUSR1, &action, &before), 0);  // no SA_RESTART: calls fail with EINTR
  std::atomic<bool> done{false};
  const pthread_t self = ::pthread_self();
  std::thread pest([&] {
    while (!done) {
      ::pthread_kill(self, SIGUSR1);
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  const Result<ChildBytes> result = run_limited(work(), [](ChildOutput& output) -> Status {
    ::usleep(100'000);
    output.write("good");
    return Nothing{};
  });
  done = true;
  pest.join();
  ::sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(result->view(), "good") << result.error().message;
}

TEST(LimitedProcess, ThreadsRunTheirsSideBySide) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer's allocator may be locked by a thread at the fork";
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const std::string text = std::to_string(100 * t + i);
        const bool crash = i % 5 == 4;
        const Result<ChildBytes> result = run_limited(work(), [&](ChildOutput& output) -> Status {
          output.write(std::string(100'000, 'x'));
          output.write(text);
          if (crash) ::_exit(1);
          return Nothing{};
        });
        if (crash ? !result.ok() : result->view() == std::string(100'000, 'x') + text) ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 80);
}

}  // namespace
}  // namespace tocsin::base::limited_process_test
