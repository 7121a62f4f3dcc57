#include "service/access/access.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "service/access/tokens_file.h"
#include "support/contains.h"
#include "support/test_folder.h"

namespace tocsin::service::access_test {
namespace {

using std::chrono::milliseconds;
using test::contains;

TEST(Access, ATokenInClearAndOneAsItsHashLetIn) {
  const TestFolder folder;
  Limits limits;
  limits.sessions = 7;
  const auto access =
      Access::load(write_tokens(folder, document(studio_a() + "," + studio_b())), limits);
  ASSERT_TRUE(access.ok()) << access.error().message;
  Access& a = *access.value();
  EXPECT_TRUE(a.asks_for_tokens());
  const auto first = a.admit(std::string("Bearer ") + kToken, "");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->name, "studio-a");
  EXPECT_EQ(first->limits.sessions, 7U);
  const auto second = a.admit(std::string("bearer  ") + kOther, "some certificate");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->name, "studio-b");
  EXPECT_EQ(a.admit(std::string("BEARER ") + kToken, ""), first);  // what it uses is counted once
}

TEST(Access, NothingElseDoes) {
  const TestFolder folder;
  const auto access =
      Access::load(write_tokens(folder, document(studio_a() + "," + studio_b())), {});
  ASSERT_TRUE(access.ok()) << access.error().message;
  Access& a = *access.value();
  const std::string token = kToken;
  EXPECT_EQ(a.admit(std::nullopt, ""), nullptr);
  EXPECT_EQ(a.admit(std::nullopt, "studio-a"), nullptr);  // a certificate is no token
  for (const std::string& wrong : std::vector<std::string>{
           std::string(), std::string("Bearer"), std::string("Bearer "), std::string("Bearer    "),
           token, "Basic " + token, "Bearer" + token, "Bearer " + token + "x",
           "Bearer " + token.substr(1), "Bearer " + token.substr(0, token.size() - 1),
           "Bearer " + token + " ", std::string("Bearer ") + kOtherHash, "Bearer studio-a",
           "Bearer " + std::string(100'000, 'x'), "Bearer " + token + std::string(1, '\0')}) {
    EXPECT_EQ(a.admit(wrong, ""), nullptr) << wrong.substr(0, 80);
  }
  for (int i = 0; i < 500; ++i) {  // hashes that share some digits with the right ones
    EXPECT_EQ(a.admit("Bearer " + token + std::to_string(i), ""), nullptr) << i;
  }
}

TEST(Access, EachTokenMayHaveLimitsOfItsOwn) {
  const TestFolder folder;
  Limits limits;
  limits.links = 99;
  const auto access = Access::load(
      write_tokens(folder, document(studio_a(R"(,"limits":{"sessions":3,"frames_per_second":90.5,
          "environments":0,"triangles":5000000000,"may_load":false})") +
                                    "," + studio_b())),
      limits);
  ASSERT_TRUE(access.ok()) << access.error().message;
  const auto a = access.value()->admit(std::string("Bearer ") + kToken, "");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->limits.sessions, 3U);
  EXPECT_EQ(a->limits.frames_per_second, 90.5);
  EXPECT_EQ(a->limits.links, 99U);
  EXPECT_EQ(a->limits.environments, 0U);
  EXPECT_EQ(a->limits.triangles, 5'000'000'000U);
  EXPECT_FALSE(a->limits.may_load);
  const auto b = access.value()->admit(std::string("Bearer ") + kOther, "");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->limits.sessions, limits.sessions);
  EXPECT_TRUE(b->limits.may_load);
}

TEST(Access, ATokenMaySayWithWhomItShares) {
  const TestFolder folder;
  const auto access = Access::load(
      write_tokens(folder, document(studio_a(R"(,"shares":"film","limits":{"uploads":1,"disk":5,
          "opens_per_second":2.5,"failures_per_second":0})") +
                                    "," + studio_b())),
      {});
  ASSERT_TRUE(access.ok()) << access.error().message;
  const auto a = access.value()->admit(std::string("Bearer ") + kToken, "");
  const auto b = access.value()->admit(std::string("Bearer ") + kOther, "");
  EXPECT_EQ(a->shares, "film");
  EXPECT_EQ(b->shares, "");
  EXPECT_EQ(a->limits.uploads, 1U);
  EXPECT_EQ(a->limits.disk, 5U);
  EXPECT_EQ(a->limits.opens_per_second, 2.5);
  EXPECT_EQ(a->limits.failures_per_second, 0.0);
  Principal c;
  c.name = "film";
  EXPECT_NE(a->circle(), c.circle()) << "a group is no principal";
  c.shares = "film";
  EXPECT_EQ(a->circle(), c.circle());
}

struct BadFile {
  std::string text;
  std::string part;  ///< of the message
};

TEST(Access, ABadFileIsRefusedAndNoTokenShown) {
  const std::string hash = kOtherHash;
  const auto limits = [](const std::string& text) {
    return document(studio_a(R"(,"limits":)" + text));
  };
  const std::vector<BadFile> cases{
      {"", ":1:"},
      {"[]", "must be an object"},
      {document(studio_a()) + "x", "not valid JSON"},
      {document(studio_a()).substr(0, 60), "not valid JSON"},
      {R"({"format":"tocsin.tokens.v1","tokens":[{"name":"a","token":"a-token-of-st)",
       "not valid JSON"},
      {std::string(R"({"format":"tocsin.tokens.v1","tokens":[{"token":)") + kToken,
       "not valid JSON"},
      {R"({"tokens":[]})", "\"format\" is missing"},
      {R"({"format":"tocsin.tokens.v2","tokens":[]})", "format: must be \"tocsin.tokens.v1\""},
      {R"({"format":"tocsin.tokens.v1"})", "\"tokens\" is missing"},
      {document(""), "no client could connect"},
      {R"({"format":"tocsin.tokens.v1","tokens":[],"more":1})", "unknown field \"more\""},
      {document("1"), "tokens[0]: must be an object"},
      {document(R"({"token":"a-token-of-studio-a"})"), "\"name\" is missing"},
      {document(R"({"name":"","token":"a-token-of-studio-a"})"),
       "tokens[0].name: must be 1 to 128"},
      {document(R"({"name":"a\nb","token":"a-token-of-studio-a"})"), "control characters"},
      {document(R"({"name":7,"token":"a-token-of-studio-a"})"), "tokens[0].name: must be a string"},
      {document(R"({"name":"a"})"), "one of the fields"},
      {document(studio_a(R"(,"sha256":")" + hash + '"')), "one of the fields"},
      {document(studio_a(R"(,"limit":{})")), "unknown field \"limit\""},
      {document(R"({"name":"a","token":"a-token-of-stud"})"), "16 to 1024 characters, has 15"},
      {document(R"({"name":"a","token":"a-token-of stud-a"})"), "without blanks"},
      {document(R"({"name":"a","token":"a-token-of-studiö"})"), "ASCII"},
      {document(R"({"name":"a","token":")" + std::string(1025, 'a') + "\"}"), "has 1025"},
      {document(studio_b(hash.substr(1))), "64 hexadecimal digits"},
      {document(studio_b("g" + hash.substr(1))), "64 hexadecimal digits"},
      {document(studio_a() + "," + studio_a()), "tokens[1].name: \"studio-a\" comes twice"},
      {document(studio_a() + "," + std::string(R"({"name":"b","token":")") + kToken + "\"}"),
       "tokens[1]: the same token comes twice"},
      {document(studio_b() + R"(,{"name":"b","sha256":"D)" + hash.substr(1) + "\"}"),
       "tokens[1]: the same token comes twice"},
      {limits("[]"), "tokens[0].limits: must be an object"},
      {limits(R"({"session":1})"), "unknown field \"session\""},
      {limits(R"({"sessions":1.5})"), "limits.sessions: must be a whole number"},
      {limits(R"({"sessions":-1})"), "limits.sessions: must be from 0 to 4294967295"},
      {limits(R"({"sessions":4294967296})"), "limits.sessions: must be from 0 to 4294967295"},
      {limits(R"({"triangles":1e300})"), "limits.triangles: must be from 0"},
      {limits(R"({"links":"many"})"), "limits.links: must be a number"},
      {limits(R"({"frames_per_second":-0.1})"), "frames_per_second: must be from 0"},
      {limits(R"({"may_load":1})"), "limits.may_load: must be a boolean"},
  };
  const TestFolder folder;
  for (const BadFile& bad : cases) {
    const auto access = Access::load(write_tokens(folder, bad.text), {});
    EXPECT_FALSE(access.ok()) << bad.text;
    EXPECT_EQ(access.error().code, ErrorCode::kInput);
    const std::string& message = access.error().message;
    EXPECT_TRUE(contains(message, "tokens.json")) << message;
    EXPECT_TRUE(contains(message, bad.part)) << bad.part << " in: " << message;
    EXPECT_FALSE(contains(message, "a-token-of")) << message;
    EXPECT_FALSE(contains(message, hash.substr(1, 20))) << message;
  }
}

TEST(Access, AFileThatOthersMayReadIsRefused) {
  const TestFolder folder;
  for (const mode_t mode : {0644U, 0640U, 0604U, 0444U}) {
    const auto access = Access::load(write_tokens(folder, document(studio_a()), mode), {});
    EXPECT_FALSE(access.ok());
    EXPECT_TRUE(contains(access.error().message, "others may read")) << access.error().message;
  }
  for (const mode_t mode : {0600U, 0400U, 0700U}) {
    EXPECT_TRUE(Access::load(write_tokens(folder, document(studio_a()), mode), {}).ok());
  }
}

TEST(Access, NoFileIsAnError) {
  const TestFolder folder;
  EXPECT_TRUE(contains(Access::load(folder.path() / "none.json", {}).error().message, "none.json"));
  EXPECT_TRUE(contains(Access::load(folder.path(), {}).error().message, "is a directory"));
}

TEST(Access, ATokenMayComeThroughAPipe) {
  const TestFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0644), 0);
  std::thread writer([&] { std::ofstream(pipe) << document(studio_a()); });
  const auto access = Access::load(pipe, {});
  writer.join();
  ASSERT_TRUE(access.ok()) << access.error().message;
  EXPECT_NE(access.value()->admit(std::string("Bearer ") + kToken, ""), nullptr);
}

TEST(Access, WithoutTokensEveryoneIsLetIn) {
  Limits limits;
  limits.sessions = 12;
  Access access(limits);
  EXPECT_FALSE(access.asks_for_tokens());
  const auto anyone = access.admit(std::nullopt, "");
  ASSERT_NE(anyone, nullptr);
  EXPECT_EQ(anyone->name, "anyone");
  EXPECT_EQ(anyone->limits.sessions, 12U);
  EXPECT_EQ(access.admit("Bearer of nothing that matters", ""), anyone);
  const auto studio = access.admit(std::nullopt, "studio-a");
  ASSERT_NE(studio, nullptr);
  EXPECT_EQ(studio->name, "studio-a");
  EXPECT_NE(studio, anyone);
  EXPECT_EQ(access.admit(std::nullopt, "studio-a"), studio);
}

TEST(Access, NamesOfCertificatesAreBoundedAndWhatIsInUseStays) {
  Access access({});
  const auto busy = access.admit(std::nullopt, "busy");
  const std::weak_ptr<Principal> idle = access.admit(std::nullopt, "idle");
  access.admit(std::nullopt, "owner")->used->environments = 1;
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_NE(access.admit(std::nullopt, "name " + std::to_string(i)), nullptr);
  }
  EXPECT_TRUE(idle.expired());
  EXPECT_EQ(access.admit(std::nullopt, "busy"), busy);
  EXPECT_EQ(access.admit(std::nullopt, "owner")->used->environments, 1U);
}

TEST(Principal, FramesAreAllowedAsTheyAccrue) {
  Principal principal;
  principal.limits.frames_per_second = 100.0;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(principal.take_frames(101, start));  // more than a second's worth, never
  EXPECT_TRUE(principal.take_frames(100, start));
  EXPECT_FALSE(principal.take_frames(1, start));
  EXPECT_FALSE(principal.take_frames(1, start + milliseconds(9)));
  EXPECT_TRUE(principal.take_frames(1, start + milliseconds(11)));
  EXPECT_FALSE(principal.take_frames(1, start + milliseconds(11)));
  EXPECT_FALSE(principal.take_frames(1, start));  // a thread whose look at the clock is older
  EXPECT_FALSE(principal.take_frames(1, start + milliseconds(11)));  // no time counts twice
  EXPECT_TRUE(principal.take_frames(0, start));
  EXPECT_TRUE(principal.take_frames(100, start + milliseconds(60'000)));  // not 6,000
  EXPECT_FALSE(principal.take_frames(1, start + milliseconds(60'000)));
}

TEST(Principal, SlowRatesGetTheirFrameToo) {
  Principal principal;
  principal.limits.frames_per_second = 0.5;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(principal.take_frames(1, start));
  EXPECT_FALSE(principal.take_frames(1, start + milliseconds(1999)));
  EXPECT_TRUE(principal.take_frames(1, start + milliseconds(2001)));
  Principal none;
  none.limits.frames_per_second = 0.0;
  EXPECT_FALSE(none.take_frames(1, start));
  EXPECT_FALSE(none.take_frames(1, start + milliseconds(100'000)));
}

TEST(Principal, ManyThreadsTakeNoFrameTwice) {
  Principal principal;
  principal.limits.frames_per_second = 100'000.0;
  const auto now = std::chrono::steady_clock::now();
  std::atomic<int> taken{0};
  std::latch all(4);  // side by side, and for longer than one of them runs at a stretch
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      int mine = 0;
      all.arrive_and_wait();
      for (int i = 0; i < 200'000; ++i) mine += principal.take_frames(1, now) ? 1 : 0;
      taken += mine;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken, 100'000);
}

}  // namespace
}  // namespace tocsin::service::access_test
