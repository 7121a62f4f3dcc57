// What send counts of predictions and of what then began, worked out by hand.
#include "app/send/send_foresight.h"

#include <gtest/gtest.h>

#include <vector>

#include "tocsin/live_motion.h"

namespace tocsin::app::send_foresight_test {
namespace {

Contact contact(std::int32_t link, std::uint32_t object, double low,
                ContactStatus status = ContactStatus::kHit) {
  Contact out;
  out.link = link;
  out.touched = RoomTriangle{object, link == 0 ? 3U : 4U};
  out.status = status;
  out.toc = {low, low};
  return out;
}

/// Steps of 0.1 s.
class Course {
 public:
  void step(const std::vector<Contact>& contacts, const std::vector<Contact>& ahead = {}) {
    TrackReport report;
    report.result.contacts = contacts;
    if (!ahead.empty()) report.ahead.emplace();
    for (Contact one : ahead) {
      std::get<RoomTriangle>(one.touched).triangle = 77;  // another one of the object's
      report.ahead->contacts.push_back({one, {}, 0.2 * one.toc[0]});
    }
    seen.take(clock_.next({Transform{}}, ++at_).value(), report, 0.2);
  }
  SendForesight seen;

 private:
  LiveMotion clock_ = [] {
    auto out = LiveMotion::create(*Skeleton::create({{"clock", -1, {}}}), {}, 0.1).value();
    (void)out.next({Transform{}}, 0.0);
    return out;
  }();
  double at_ = 0.0;
};

TEST(SendForesight, CountsWhatWasForeseenInTime) {
  Course course;
  course.step({}, {contact(0, 1, 0.9), contact(1, 2, 0.1)});  // to 0.1 s
  course.step({}, {contact(0, 1, 0.4)});                      // to 0.2 s
  EXPECT_EQ(course.seen.told(), 3U);
  EXPECT_FALSE(course.seen.lead());
  // At 0.25 s: foreseen from 0.1 s on. Link 1 and object 1 are another pair.
  course.step({contact(0, 1, 0.5), contact(1, 1, 0.5)});
  EXPECT_EQ(course.seen.begun(), 2U);
  EXPECT_EQ(course.seen.foreseen(), 1U);
  ASSERT_TRUE(course.seen.lead());
  EXPECT_NEAR(*course.seen.lead(), 0.15, 1e-12);
  // Its prediction at 0.1 s was for 0.3 s at the latest.
  course.step({contact(1, 2, 0.5)});  // at 0.35 s
  EXPECT_EQ(course.seen.begun(), 3U);
  EXPECT_EQ(course.seen.foreseen(), 1U);
}

TEST(SendForesight, WhatTouchesAlreadyDoesNotBegin) {
  Course course;
  course.step({}, {contact(0, 1, 0.5)});
  course.step({contact(0, 1, 0.0, ContactStatus::kOverlap)});
  course.step({contact(0, 1, 0.0, ContactStatus::kGraze)});
  EXPECT_EQ(course.seen.begun(), 0U);
  // The prediction was of that touch, not of the next one.
  course.step({contact(0, 1, 0.5)});
  EXPECT_EQ(course.seen.begun(), 1U);
  EXPECT_EQ(course.seen.foreseen(), 0U);
}

TEST(SendForesight, APredictionThatDidNotComeTrueBeginsAnew) {
  Course course;
  course.step({}, {contact(0, 1, 0.5)});  // to 0.1 s, until 0.3 s
  for (int i = 0; i < 3; ++i) course.step({});
  course.step({}, {contact(0, 1, 0.5)});  // to 0.5 s
  course.step({contact(0, 1, 1.0)});      // at 0.6 s
  ASSERT_TRUE(course.seen.lead());
  EXPECT_NEAR(*course.seen.lead(), 0.1, 1e-12);
}

}  // namespace
}  // namespace tocsin::app::send_foresight_test
