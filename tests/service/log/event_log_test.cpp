// The operator's log: what a line has, and that no client can fill it. Addresses that guess tokens.
#include "service/log/event_log.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "service/access/failure_gate.h"

namespace tocsin::event_log_test {
namespace {

using nlohmann::json;
using service::EventLog;
using service::FailureGate;
using service::LogEvent;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr EventLog::Time kStart{seconds(1000)};

TEST(EventLog, WritesJson) {
  const auto time = std::chrono::system_clock::time_point(milliseconds(1'700'000'000'042));
  const json line = json::parse(service::json_line({.event = "refused",
                                                    .peer = "192.0.2.7",
                                                    .principal = "a \"b\"\n",
                                                    .session = "0123456789ab",
                                                    .cause = "too much\x1b",
                                                    .left_out = 3},
                                                   time));
  EXPECT_EQ(line["time"], "2023-11-14T22:13:20.042Z");
  EXPECT_EQ(line["event"], "refused");
  EXPECT_EQ(line["peer"], "192.0.2.7");
  EXPECT_EQ(line["principal"], "a \"b\"\n");
  EXPECT_EQ(line["session"], "0123456789ab");
  EXPECT_EQ(line["cause"], "too much\x1b");
  EXPECT_EQ(line["left_out"], 3);
  const std::string brief = service::json_line({.event = "note", .cause = "a\nb"}, time);
  EXPECT_EQ(brief, R"({"time":"2023-11-14T22:13:20.042Z","event":"note","cause":"a\nb"})");
}

/// What was written and what was left out are together what was said.
TEST(EventLog, BoundsAPeerAndCounts) {
  std::uint64_t lines = 0;
  std::uint64_t left_out = 0;
  EventLog log([&](const LogEvent& event) {
    lines += event.event == "left_out" ? 0 : 1;
    left_out += event.left_out;
  });
  for (int i = 0; i < 1000; ++i) log.say({.event = "refused", .peer = "a"}, kStart);
  EXPECT_EQ(lines, 20U) << "EventLog::kAtOnce";
  log.say({.event = "refused", .peer = "b"}, kStart);
  EXPECT_EQ(lines, 21U) << "others are not affected";
  for (int i = 0; i < 100; ++i) log.say({.event = "note"}, kStart);
  EXPECT_EQ(lines, 121U) << "the server's own are always written";
  log.say({.event = "refused", .peer = "a"}, kStart + seconds(1));
  EXPECT_EQ(lines, 122U);
  EXPECT_EQ(left_out, 980U);
  for (int i = 0; i < 10; ++i) log.say({.event = "refused", .peer = "a"}, kStart + seconds(1));
  EXPECT_EQ(lines, 123U) << "two a second";
  log.flush(kStart + seconds(1));
  EXPECT_EQ(left_out, 980U) << "not yet";
  log.flush(kStart + seconds(2));
  EXPECT_EQ(left_out, 989U);
  log.flush(kStart + seconds(30));
  EXPECT_EQ(left_out, 989U) << "said once";
}

/// Many addresses, as IPv6 has them, write no more than all together may.
TEST(EventLog, BoundsAllPeers) {
  std::uint64_t lines = 0;
  std::uint64_t left_out = 0;
  std::uint64_t said = 0;
  EventLog log([&](const LogEvent& event) {
    lines += 1;
    said += event.event == "left_out" ? 0 : 1;
    left_out += event.left_out;
  });
  constexpr std::uint64_t kAll = 50'000;
  for (std::uint64_t i = 0; i < kAll; ++i) {
    log.say({.event = "refused", .peer = "peer " + std::to_string(i)}, kStart);
  }
  EXPECT_EQ(lines, 500U);
  for (int i = 0; i < 10; ++i) log.flush(kStart + seconds(60 + i));
  EXPECT_EQ(said + left_out, kAll);
  EXPECT_LE(lines, 500U + EventLog::kMostPeers + 1) << "the others are counted together";
}

TEST(EventLog, TakesFromManyThreads) {
  std::atomic<std::uint64_t> all{0};
  EventLog log(
      [&](const LogEvent& event) { all += (event.event == "left_out" ? 0 : 1) + event.left_out; });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&log] {
      for (int i = 0; i < 5000; ++i) {
        log.say({.event = "refused", .peer = std::to_string(i % 7)}, kStart);
        if (i % 100 == 0) log.flush(kStart);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  log.flush(kStart + seconds(100));
  EXPECT_EQ(all, 20'000U);
}

TEST(FailureGate, SlowsAnAddressDown) {
  FailureGate gate;
  int tried = 0;
  // A guess every 10 ms for a minute.
  for (int i = 0; i < 6000; ++i) {
    const auto now = kStart + milliseconds(10) * i;
    if (!gate.is_open("192.0.2.7", now)) continue;
    ++tried;
    gate.note_failure("192.0.2.7", now);
  }
  EXPECT_GE(tried, 68);
  EXPECT_LE(tried, 70) << "10 at once, and one a second";
  EXPECT_FALSE(gate.is_open("192.0.2.7", kStart + seconds(60)));
  EXPECT_TRUE(gate.is_open("192.0.2.8", kStart + seconds(60)));
  EXPECT_TRUE(gate.is_open("192.0.2.7", kStart + seconds(62)));
  for (int i = 0; i < 100; ++i) gate.note_failure("", kStart);
  EXPECT_TRUE(gate.is_open("", kStart)) << "a proxy on this machine stands for all its clients";
}

TEST(FailureGate, ForgetsWhoFailedLongestAgo) {
  FailureGate gate;
  const auto fail = [&](const std::string& address, EventLog::Time now) {
    for (int i = 0; i < 10; ++i) gate.note_failure(address, now);
  };
  fail("first", kStart);
  fail("second", kStart + milliseconds(1));
  for (std::size_t i = 2; i < FailureGate::kMostAddresses; ++i) {
    fail(std::to_string(i), kStart + milliseconds(2));
  }
  EXPECT_FALSE(gate.is_open("first", kStart + milliseconds(2)));
  fail("one more", kStart + milliseconds(2));
  EXPECT_TRUE(gate.is_open("first", kStart + milliseconds(2)));
  EXPECT_FALSE(gate.is_open("second", kStart + milliseconds(2)));
}

}  // namespace
}  // namespace tocsin::event_log_test
