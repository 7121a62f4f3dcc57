#include "service/session/delivery.h"

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <vector>

#include "service/session/session_rig.h"

namespace tocsin::service::delivery_test {
namespace {

using test::FakeOutlet;

Problem some_problem() { return {Refusal::kFailed, "out of luck"}; }

/// Sees whether somebody holds a lock while it is called.
class LockWatcher : public Outlet {
 public:
  explicit LockWatcher(std::mutex& mutex) : mutex_(mutex) {}
  void ready() override { look(); }
  void refuse(const Problem& /*problem*/) override { look(); }
  [[nodiscard]] int calls() const { return calls_; }

 private:
  void look() {
    EXPECT_TRUE(mutex_.try_lock()) << "called under the lock";
    mutex_.unlock();
    ++calls_;
  }
  std::mutex& mutex_;
  int calls_ = 0;
};

class DeliveryTest : public testing::Test {
 protected:
  std::shared_ptr<FakeOutlet> attached(std::uint64_t received = 0) {
    auto out = std::make_shared<FakeOutlet>();
    std::shared_ptr<Outlet> outlet = out;
    EXPECT_FALSE(delivery_.attach(outlet, received));
    return out;
  }
  void push() { delivery_.push(TrackReport(), test::Clock::now(), {}); }
  void tell() {
    Delivery::Lock lock(mutex_);
    delivery_.tell(lock);
  }

  std::mutex mutex_;
  Delivery delivery_{SessionLimits()};
  std::vector<MemberCards> met_;
};

TEST_F(DeliveryTest, HasOneStreamAndTellsTheOneBeforeThatItIsNot) {
  const auto first = attached();
  EXPECT_TRUE(delivery_.attached(first.get()));
  EXPECT_FALSE(delivery_.has_news());
  const auto second = attached();
  EXPECT_FALSE(delivery_.attached(first.get()));
  EXPECT_TRUE(delivery_.attached(second.get()));
  EXPECT_FALSE(delivery_.attached(nullptr));
  EXPECT_TRUE(delivery_.has_news());
  delivery_.announce();
  tell();
  ASSERT_TRUE(first->problem());
  EXPECT_EQ(first->problem()->refusal, Refusal::kTakenOver);
  EXPECT_EQ(first->ready_calls(), 0);
  EXPECT_FALSE(second->problem());
  EXPECT_EQ(second->ready_calls(), 1);
  EXPECT_FALSE(delivery_.has_news());
}

TEST_F(DeliveryTest, TellsAnEndOnceAfterWhatIsThere) {
  const auto first = attached();
  push();
  delivery_.end(some_problem());
  EXPECT_TRUE(delivery_.listens());
  tell();
  EXPECT_EQ(first->ready_calls(), 1);
  ASSERT_TRUE(first->problem());
  EXPECT_EQ(first->problem()->refusal, Refusal::kFailed);
  EXPECT_TRUE(delivery_.attached());
  EXPECT_FALSE(delivery_.listens());
  delivery_.end(some_problem());
  EXPECT_FALSE(delivery_.has_news());
  tell();
  // What was told its end is not told that another took over.
  const auto second = attached();
  EXPECT_TRUE(delivery_.listens());
  tell();
  EXPECT_EQ(first->problem()->refusal, Refusal::kFailed);
  EXPECT_FALSE(second->problem());
}

TEST_F(DeliveryTest, HasNoNewsForAStreamThatIsGoneOrKnows) {
  push();
  EXPECT_FALSE(delivery_.has_news());
  const auto first = attached();
  delivery_.end(some_problem());
  const auto now = test::Clock::now();
  EXPECT_EQ(delivery_.detach(now), first);
  EXPECT_EQ(delivery_.detached_at(), now);
  EXPECT_FALSE(delivery_.attached());
  EXPECT_FALSE(delivery_.has_news());
  const auto second = attached();
  delivery_.end_was_sent();
  EXPECT_FALSE(delivery_.listens());
  delivery_.end(some_problem());
  EXPECT_FALSE(delivery_.has_news());
  EXPECT_FALSE(second->problem());
}

TEST_F(DeliveryTest, GoesOnWhereTheClientIs) {
  for (int i = 0; i < 5; ++i) push();
  EXPECT_EQ(delivery_.contacts(), 0U);
  const auto first = attached();
  EXPECT_EQ(delivery_.pull(3, met_).size(), 3U);
  EXPECT_FALSE(delivery_.all_pulled());
  EXPECT_EQ(delivery_.pull(10, met_).size(), 2U);
  EXPECT_TRUE(delivery_.all_pulled());
  const auto second = attached(4);
  EXPECT_EQ(delivery_.pull(10, met_).size(), 1U);
  std::shared_ptr<Outlet> outlet = std::make_shared<FakeOutlet>();
  const auto problem = delivery_.attach(outlet, 6);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->refusal, Refusal::kOutOfRange);
  EXPECT_TRUE(delivery_.attached(second.get())) << "nothing has changed";
}

TEST_F(DeliveryTest, APartialReportWaitsForThoseBefore) {
  MemberCards others;
  const auto partial = [](double until) {
    TrackReport out;
    out.result.checked_until = until;
    return out;
  };
  delivery_.set_partial(partial(0.1), {});  // nobody listens
  auto stream = attached();
  EXPECT_FALSE(delivery_.pull_partial(others));
  push();
  delivery_.set_partial(partial(0.2), {});
  delivery_.set_partial(partial(0.3), {});
  tell();
  EXPECT_EQ(stream->ready_calls(), 1);
  EXPECT_FALSE(delivery_.pull_partial(others)) << "a report is before it";
  EXPECT_EQ(delivery_.pull(10, met_).size(), 1U);
  const auto newest = delivery_.pull_partial(others);
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->result.checked_until, 0.3);
  EXPECT_FALSE(delivery_.pull_partial(others)) << "once";
  // The step's report takes its place; so does another stream, which may be elsewhere.
  delivery_.set_partial(partial(0.4), {});
  push();
  EXPECT_EQ(delivery_.pull(10, met_).size(), 1U);
  EXPECT_FALSE(delivery_.pull_partial(others));
  delivery_.set_partial(partial(0.5), {});
  stream = attached(2);
  EXPECT_FALSE(delivery_.pull_partial(others));
}

TEST_F(DeliveryTest, CallsUnderNoLock) {
  const auto watcher = std::make_shared<LockWatcher>(mutex_);
  std::shared_ptr<Outlet> outlet = watcher;
  EXPECT_FALSE(delivery_.attach(outlet, 0));
  delivery_.announce();
  delivery_.end(some_problem());
  tell();
  EXPECT_EQ(watcher->calls(), 2);
}

}  // namespace
}  // namespace tocsin::service::delivery_test
