// The tokens file, read again while the server runs.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "service/access/access.h"
#include "service/access/tokens_file.h"

namespace tocsin::service::tokens_reload_test {
namespace {

TEST(TokensReload, HoldsForWhoComesThen) {
  const TestFolder folder;
  const auto file =
      write_tokens(folder, document(studio_a(R"(,"limits":{"sessions":2})") + "," + studio_b()));
  const auto access = Access::load(file, {});
  ASSERT_TRUE(access.ok()) << access.error().message;
  Access& a = *access.value();
  const std::string first_token = std::string("Bearer ") + kToken;
  const std::string second_token = std::string("Bearer ") + kOther;
  const auto before = a.admit(first_token, "");
  const auto other = a.admit(second_token, "");
  ASSERT_TRUE(before != nullptr && other != nullptr);
  before->used->sessions = 2;

  // Nothing changed: the same principals.
  auto change = a.reload(file);
  ASSERT_TRUE(change.ok()) << change.error().message;
  EXPECT_EQ(change->tokens, 2U);
  EXPECT_EQ(change->added + change->changed + change->gone, 0U);
  EXPECT_EQ(a.admit(first_token, ""), before);
  EXPECT_EQ(a.admit(second_token, ""), other);

  // Other limits, one token gone, one new. What is in use counts on; a stream keeps its limits.
  write_tokens(folder, document(studio_a(R"(,"limits":{"sessions":5})") +
                                R"(,{"name":"studio-c","token":"a-token-of-studio-c"})"));
  change = a.reload(file);
  ASSERT_TRUE(change.ok()) << change.error().message;
  EXPECT_EQ(change->tokens, 2U);
  EXPECT_EQ(change->added, 1U);
  EXPECT_EQ(change->changed, 1U);
  EXPECT_EQ(change->gone, 1U);
  const auto after = a.admit(first_token, "");
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(after->limits.sessions, 5U);
  EXPECT_EQ(after->used->sessions, 2U);
  EXPECT_EQ(before->limits.sessions, 2U);
  ++before->used->sessions;
  EXPECT_EQ(after->used->sessions, 3U);
  EXPECT_EQ(a.admit(second_token, ""), nullptr);
  EXPECT_NE(a.admit("Bearer a-token-of-studio-c", ""), nullptr);

  // A file that is wrong changes nothing.
  write_tokens(folder, "{");
  EXPECT_FALSE(a.reload(file).ok());
  EXPECT_EQ(a.admit(first_token, ""), after);

  // Who comes back finds what it has in use.
  other->used->sessions = 7;
  write_tokens(folder, document(studio_b()));
  ASSERT_TRUE(a.reload(file).ok());
  EXPECT_EQ(a.admit(first_token, ""), nullptr);
  const auto back = a.admit(second_token, "");
  ASSERT_NE(back, nullptr);
  EXPECT_EQ(back->used->sessions, 7U);
}

TEST(TokensReload, NeedsATokensFile) {
  const TestFolder folder;
  Access access{Limits{}};
  const auto change = access.reload(write_tokens(folder, document(studio_a())));
  ASSERT_FALSE(change.ok());
  EXPECT_EQ(change.error().code, ErrorCode::kUsage);
  EXPECT_NE(access.admit(std::nullopt, ""), nullptr);
}

TEST(TokensReload, BesideAdmissionsIsSafe) {
  const TestFolder folder;
  const auto file = write_tokens(folder, document(studio_a()));
  const auto access = Access::load(file, {});
  ASSERT_TRUE(access.ok());
  std::atomic<bool> over{false};
  std::atomic<int> admitted{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!over) {
        const auto one = access.value()->admit(std::string("Bearer ") + kToken, "");
        if (one != nullptr && one->used->sessions++ < 1'000'000'000) ++admitted;
      }
    });
  }
  for (int i = 0; i < 50; ++i) {
    write_tokens(folder, document(studio_a(i % 2 == 0 ? R"(,"limits":{"sessions":5})" : "")));
    EXPECT_TRUE(access.value()->reload(file).ok());
  }
  while (admitted < 100) std::this_thread::yield();
  over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(
      static_cast<int>(access.value()->admit(std::string("Bearer ") + kToken, "")->used->sessions),
      admitted);
}

}  // namespace
}  // namespace tocsin::service::tokens_reload_test
