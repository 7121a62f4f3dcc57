// Counters, and the text that Prometheus reads.
#include "service/metrics/metrics.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "service/engine_fixture.h"
#include "service/metrics/exposition.h"

namespace tocsin::test::metrics_test {
namespace {

using service::Exposition;
using service::Histogram;
using service::Metrics;

constexpr std::array<std::uint64_t, 3> kBounds{10, 20, 1000};

TEST(Histogram, CountsByUpperBounds) {
  Histogram<3> histogram(kBounds);
  for (const std::uint64_t value : {0U, 10U, 11U, 20U, 21U, 1000U, 1001U, 5000U}) {
    histogram.add(value);
  }
  const auto values = histogram.values();
  EXPECT_EQ(values.counts, (std::array<std::uint64_t, 4>{2, 2, 2, 2}));
  EXPECT_EQ(values.sum, 7063U);
}

TEST(Histogram, CountsFromManyThreads) {
  Histogram<3> histogram(kBounds);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::uint64_t k = 0; k < 10'000; ++k) histogram.add(k % 30);
    });
  }
  for (std::thread& thread : threads) thread.join();
  // Of 30 values 11 are up to 10, 10 up to 20, 9 above; 10,000 is 333 x 30 + 10.
  const auto values = histogram.values();
  EXPECT_EQ(values.counts[0], 4U * (333 * 11 + 10));
  EXPECT_EQ(values.counts[1], 4U * 333 * 10);
  EXPECT_EQ(values.counts[2], 4U * 333 * 9);
  EXPECT_EQ(values.sum, 4U * (333 * 435 + 45));
}

TEST(Histogram, TimesAreWholeNanoseconds) {
  EXPECT_EQ(service::nanoseconds_of(1.5), 1500U);
  EXPECT_EQ(service::nanoseconds_of(-3.0), 0U);
  EXPECT_EQ(service::nanoseconds_of(std::numeric_limits<double>::quiet_NaN()), 0U);
  EXPECT_EQ(service::nanoseconds_of(std::numeric_limits<double>::infinity()),
            1'000'000'000'000'000'000U);
}

TEST(Exposition, IsTheFormatsText) {
  Exposition out;
  out.counter("a_total", "What\nis \\ \"counted\".");
  out.sample({{"name", "a \"b\" \\ c\nd"}, {"other", ""}}, std::uint64_t{18446744073709551615U});
  out.gauge("b", "A gauge.", 0.5);
  out.gauge("c", "Not a number.", std::numeric_limits<double>::quiet_NaN());
  out.gauge("d", "Endless.", -std::numeric_limits<double>::infinity());
  Histogram<3> histogram(kBounds);
  for (const std::uint64_t value : {5U, 15U, 16U, 2000U}) histogram.add(value);
  out.histogram("e", "Sizes.");
  out.sample({{"x", "y"}}, histogram, 1000.0);
  EXPECT_EQ(out.take(),
            "# HELP a_total What\\nis \\\\ \"counted\".\n"
            "# TYPE a_total counter\n"
            "a_total{name=\"a \\\"b\\\" \\\\ c\\nd\",other=\"\"} 18446744073709551615\n"
            "# HELP b A gauge.\n# TYPE b gauge\nb 0.5\n"
            "# HELP c Not a number.\n# TYPE c gauge\nc NaN\n"
            "# HELP d Endless.\n# TYPE d gauge\nd -Inf\n"
            "# HELP e Sizes.\n# TYPE e histogram\n"
            "e_bucket{x=\"y\",le=\"0.01\"} 1\n"
            "e_bucket{x=\"y\",le=\"0.02\"} 3\n"
            "e_bucket{x=\"y\",le=\"1\"} 3\n"
            "e_bucket{x=\"y\",le=\"+Inf\"} 4\n"
            "e_sum{x=\"y\"} 2.036\n"
            "e_count{x=\"y\"} 4\n");
}

/// Every bound as a person would write it: no digits of rounding.
TEST(Exposition, ShowsTimesShortly) {
  Exposition out;
  Metrics metrics;
  out.histogram("t", "Times.");
  out.sample({}, metrics.checked, 1e9);
  const std::string text = out.take();
  for (const char* bound : {"1e-05", "2.5e-05", "0.001", "0.0025", "0.25", "1"}) {
    EXPECT_NE(text.find("le=\"" + std::string(bound) + "\""), std::string::npos) << text;
  }
}

class MetricsOfEngine : public EngineTest {};

/// Clients that lose frames, streams and reports: what they were told is what was counted.
TEST_F(MetricsOfEngine, EveryFrameHasOneFate) {
  service::EngineOptions engine_options;
  engine_options.threads = 2;
  engine_options.limits.pending_frames = 4;
  engine_options.meet_rate = 0.0;
  Engine engine(std::move(engine_options), rooms_);
  std::vector<std::unique_ptr<EngineClient>> clients;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) {
    clients.push_back(
        std::make_unique<EngineClient>(engine, anyone_, take_[i % 2], options(i % 2), 100 + i));
    threads.emplace_back([&client = *clients.back()] { client.run(); });
  }
  for (std::thread& thread : threads) thread.join();
  std::uint64_t offered = 0;
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;
  std::uint64_t resumes = 0;
  TrackEnded all;
  for (const auto& client : clients) {
    ASSERT_TRUE(client->ended_);
    offered += client->offered_;
    steps += client->ended_->steps;
    contacts += client->ended_->contacts;
    all.skipped_frames += client->ended_->skipped_frames;
    all.stale_frames += client->ended_->stale_frames;
    all.duplicate_frames += client->ended_->duplicate_frames;
    resumes += static_cast<std::uint64_t>(client->resumes_);
  }
  const Metrics& metrics = engine.metrics();
  EXPECT_EQ(metrics.covered_frames.value(), steps + clients.size()) << "the first poses";
  EXPECT_EQ(metrics.skipped_frames.value(), all.skipped_frames);
  EXPECT_EQ(metrics.stale_frames.value(), all.stale_frames);
  EXPECT_EQ(metrics.duplicate_frames.value(), all.duplicate_frames);
  EXPECT_EQ(metrics.refused_frames.value(), 0U);
  EXPECT_EQ(metrics.ignored_frames.value(), 0U);
  EXPECT_EQ(offered, metrics.covered_frames.value() + metrics.skipped_frames.value() +
                         metrics.stale_frames.value() + metrics.duplicate_frames.value());
  EXPECT_EQ(metrics.steps.value(), steps);
  EXPECT_EQ(metrics.contacts.value(), contacts);
  EXPECT_GT(contacts, 0U);
  EXPECT_EQ(metrics.opened.value(), clients.size());
  EXPECT_EQ(metrics.resumed.value(), resumes);
  EXPECT_GT(resumes, 0U);
  const auto count = [](const service::TimeHistogram& histogram) {
    std::uint64_t out = 0;
    for (const std::uint64_t n : histogram.values().counts) out += n;
    return out;
  };
  EXPECT_EQ(count(metrics.checked), steps);
  EXPECT_EQ(count(metrics.waited), steps);
  EXPECT_GE(count(metrics.total), steps) << "reports are sent again after a stream is lost";
  const auto batches = metrics.batches.values();
  EXPECT_EQ(batches.sum, batches.counts[0]) << "without --batch-delay each goes alone";
}

TEST_F(MetricsOfEngine, RefusedFramesAreCounted) {
  service::EngineOptions engine_options;
  engine_options.threads = service::WorkerPool::kByHand;
  engine_options.meet_rate = 0.0;
  Engine engine(std::move(engine_options), rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = engine.open(anyone_, options(), outlet, opened_, problem_);
  ASSERT_TRUE(session) << problem_.message;
  for (std::int64_t k = 0; k < 3; ++k) {
    EXPECT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
  }
  EXPECT_EQ(engine.counts().pending_frames, 3U);
  EXPECT_EQ(engine.counts().waiting_steps, 1U);
  TrackFrame bad = frame_of(take_[0].motion, 3);
  bad.pose.pop_back();
  EXPECT_TRUE(session->offer(outlet.get(), bad, Clock::now()));
  EXPECT_EQ(engine.metrics().refused_frames.value(), 1U);
  while (engine.run_one()) {
  }
  EXPECT_EQ(engine.counts().pending_frames, 0U);
  EXPECT_EQ(engine.counts().unsent_reports, 2U);
  EXPECT_EQ(engine.metrics().covered_frames.value(), 3U);
  session->drain();
  EXPECT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, 4), Clock::now()));
  EXPECT_EQ(engine.metrics().ignored_frames.value(), 1U);
}

}  // namespace
}  // namespace tocsin::test::metrics_test
