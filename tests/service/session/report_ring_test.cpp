// What a session's kept reports may take, and how many go at once.
#include "service/session/report_ring.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "service/rooms/environments.h"

namespace tocsin::service::report_ring_test {
namespace {

const ReportRing::Time kNow{};
constexpr std::size_t kPlenty = std::size_t{1} << 40U;

TrackReport report_with(std::size_t contacts) {
  TrackReport out;
  out.result.contacts.resize(contacts);
  return out;
}

TEST(ReportRing, APullCountsTheNamesThatContactsGet) {
  ReportRing ring(512, kPlenty, 512);
  for (int i = 0; i < 10; ++i) ring.push(report_with(100), kNow);
  // A report alone may be larger than is asked for. Two of 100 contacts have names of at most
  // 2 x 100 x 2 x 256 bytes, which is more than 100,000: they do not go together.
  EXPECT_EQ(ring.pull(10, 1, kNow).size(), 1U);
  EXPECT_EQ(ring.pull(10, 100'000, kNow).size(), 1U);
  EXPECT_EQ(ring.pull(10, 10 * 100'000, kNow).size(), 8U);
  EXPECT_EQ(ring.sent(), 10U);
}

// Whom a report met is kept once, for as long as the report, and comes with it.
TEST(ReportRing, KeepsWhomAReportMet) {
  ReportRing ring(2, kPlenty, 512);
  auto card = std::make_shared<MemberCard>();
  card->number = 7;
  const std::weak_ptr<const MemberCard> kept = card;
  ring.push(report_with(3), kNow, {std::move(card)});
  for (int i = 0; i < 3; ++i) ring.push(report_with(1), kNow);
  std::vector<MemberCards> met;
  EXPECT_EQ(ring.pull(2, kPlenty, kNow, &met).size(), 2U);
  ASSERT_EQ(met.size(), 2U);
  ASSERT_EQ(met[0].size(), 1U);
  EXPECT_EQ(met[0][0]->number, 7U);
  EXPECT_TRUE(met[1].empty());
  met.clear();
  EXPECT_TRUE(kept.expired()) << "two reports are kept, and it was sent";
}

// What cards hold counts, once for all reports that have them, and for as long as one has.
TEST(ReportRing, CardsCount) {
  ReportRing ring(2, kPlenty, 512);
  auto card = std::make_shared<MemberCard>();
  card->links.assign(64, std::string(256, 'x'));
  ring.push(report_with(1), kNow, {card});
  EXPECT_GE(ring.bytes(), 64U * 256U);
  ring.push(report_with(1), kNow, {card});
  EXPECT_LT(ring.bytes(), 2U * 64U * 256U);
  for (int i = 0; i < 2; ++i) ring.push(report_with(1), kNow);
  EXPECT_EQ(ring.pull(3, kPlenty, kNow).size(), 3U);
  EXPECT_LT(ring.bytes(), 64U * 256U);

  ReportRing small(512, 10'000, 512);
  small.push(report_with(1), kNow, {card});
  EXPECT_FALSE(small.room());
  EXPECT_EQ(small.pull(1, kPlenty, kNow).size(), 1U);
  EXPECT_TRUE(small.room()) << "nothing waits";
}

TEST(ReportRing, NamesAreNotKept) {
  ReportRing ring(512, kPlenty, 512);
  for (int i = 0; i < 10; ++i) ring.push(report_with(100), kNow);
  EXPECT_LT(ring.bytes(), 10 * 100 * 2 * Environments::kMostObjectName);
  EXPECT_GE(ring.bytes(), 10 * 100 * sizeof(Contact));
}

TEST(ReportRing, MemoryOfContactsThatWereDroppedIsGivenBack) {
  ReportRing ring(512, kPlenty, 512);
  TrackReport report = report_with(10'000);
  report.result.contacts.resize(1);
  ring.push(std::move(report), kNow);
  EXPECT_LT(ring.bytes(), 10 * sizeof(Contact) + sizeof(TrackReport));
}

TEST(ReportRing, UnsentBytesAreThoseThatWait) {
  ReportRing ring(512, 10'000, 512);
  ring.push(report_with(1000), kNow);
  EXPECT_FALSE(ring.room());
  EXPECT_EQ(ring.pull(10, kPlenty, kNow).size(), 1U);
  EXPECT_TRUE(ring.room());
  EXPECT_TRUE(ring.rewind(0));
  EXPECT_FALSE(ring.room());
  EXPECT_EQ(ring.pull(10, kPlenty, kNow).size(), 1U);
  EXPECT_TRUE(ring.room());
}

}  // namespace
}  // namespace tocsin::service::report_ring_test
