#include "service/rpc/bystander.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace tocsin::test {
namespace {

/// Frames without which a 99th percentile says nothing.
constexpr std::int64_t kFewest = 200;

/// Frames that may wait for their reports: fewer than the server takes, or it would skip some.
constexpr std::int64_t kMostUnanswered = 12;

}  // namespace

Bystander::Bystander(const LiveServer& server) : server_(server), stub_(server.stub()) {
  stream_ = std::make_unique<Stream>(*stub_, "", [](grpc::ClientContext& context) {
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::minutes(5));
  });
  stream_->open(walk_.open());
  sender_ = std::thread([this] { send(); });
  reader_ = std::thread([this] { read(); });
}

Bystander::~Bystander() {
  if (!sender_.joinable()) return;
  enough_ = true;
  sender_.join();
  stream_->cancel();
  reader_.join();
}

void Bystander::send() {
  auto due = std::chrono::steady_clock::now();
  while (!enough_) {
    if (sent_ - answered_ > kMostUnanswered) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      continue;
    }
    if (!stream_->write(walk_.frames(sent_, sent_))) break;
    ++sent_;
    due += std::chrono::microseconds(11'111);
    std::this_thread::sleep_until(due);
  }
}

void Bystander::read() {
  while (const auto response = stream_->read()) {
    for (const v1::StepReport& report : response->reports().reports()) reports_.push_back(report);
    answered_ += response->reports().reports_size();
    if (response->has_ended()) stream_->ended = response->ended();
  }
}

void Bystander::finish() {
  while (sent_ < kFewest) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  enough_ = true;
  sender_.join();
  stream_->half_close();
  reader_.join();
  const grpc::Status status = stream_->status();
  EXPECT_TRUE(status.ok()) << status.error_message();
  ASSERT_TRUE(stream_->ended.has_value());
  EXPECT_EQ(stream_->ended->skipped_frames(), 0U);
  ASSERT_EQ(static_cast<std::int64_t>(reports_.size()), sent_ - 1);

  std::vector<std::int64_t> covered;
  for (std::int64_t f = 0; f < sent_; ++f) covered.push_back(f);
  const auto expected = walk_.expected(server_.hall(), covered);
  std::vector<double> milliseconds;
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < reports_.size(); ++i) {
    EXPECT_EQ(reports_[i].from().id(), i);
    EXPECT_EQ(reports_[i].to().id(), i + 1);
    expect_same(reports_[i], expected[i], walk_.codec);
    contacts += expected[i].contacts.size();
    milliseconds.push_back(reports_[i].timing().total() / 1e3);
  }
  EXPECT_GT(contacts, 0U);
  std::sort(milliseconds.begin(), milliseconds.end());
  const double p99 = milliseconds[milliseconds.size() * 99 / 100];
  std::printf("beside: %zu steps, %zu contacts, p99 %.2f ms, most %.2f ms\n", reports_.size(),
              contacts, p99, milliseconds.back());
}

}  // namespace tocsin::test
