// How answers are compared, with made-up contacts: what must be counted is known by hand.
#include "app/validate/validate_compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tocsin::app::validate_compare_test {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Contact contact(std::int32_t link, std::uint32_t object, double lo, double hi,
                ContactStatus status = ContactStatus::kHit) {
  Contact out;
  out.link = link;
  out.touched = RoomTriangle{object, 3};
  out.status = status;
  out.toc = {lo, hi};
  out.point = {1.0, 2.0, 3.0};
  out.normal = Vec3{0.0, 1.0, 0.0};
  return out;
}

StepReport report(std::vector<Contact> contacts) {
  StepReport out;
  out.step = 7;
  out.safe_until = 1.0;
  for (const Contact& c : contacts) out.safe_until = std::min(out.safe_until, c.toc[0]);
  out.contacts = std::move(contacts);
  return out;
}

ExactDifferences exact(const StepReport& reference, const StepReport& found) {
  ExactDifferences out;
  compare_exact(reference, found, out);
  return out;
}

void expect_exact(const ExactDifferences& d, std::int64_t missed, std::int64_t extra,
                  std::int64_t different) {
  EXPECT_EQ(d.missed, missed);
  EXPECT_EQ(d.extra, extra);
  EXPECT_EQ(d.different, different);
  EXPECT_EQ(d.any(), missed + extra + different > 0);
}

TEST(CompareExact, EqualAnswersDoNotDiffer) {
  const StepReport some = report({contact(0, 1, 0.25, 0.25), contact(2, 0, 0.5, 0.5)});
  expect_exact(exact(some, some), 0, 0, 0);
  expect_exact(exact(report({}), report({})), 0, 0, 0);
}

TEST(CompareExact, MissedAndExtra) {
  const Contact a = contact(0, 1, 0.25, 0.25);
  const Contact b = contact(1, 0, 0.5, 0.5);
  const Contact c = contact(1, 2, 0.5, 0.5);
  const Contact d = contact(4, 0, 0.5, 0.5);
  expect_exact(exact(report({a, b, c}), report({b})), 2, 0, 0);
  expect_exact(exact(report({b}), report({a, b, d})), 0, 2, 0);
  expect_exact(exact(report({a, c}), report({b, d})), 2, 2, 0);
  // The same pair twice is one too many.
  expect_exact(exact(report({a, b}), report({a, a, b})), 0, 1, 0);
  const ExactDifferences found = exact(report({a, b}), report({b, d}));
  ASSERT_EQ(found.findings.size(), 2U);
  EXPECT_EQ(found.findings[0].fault, Fault::kMissed);
  EXPECT_EQ(found.findings[0].step, 7);
  EXPECT_EQ(found.findings[0].reference, a);
  EXPECT_EQ(found.findings[0].found, std::nullopt);
  EXPECT_EQ(found.findings[1].fault, Fault::kExtra);
  EXPECT_EQ(found.findings[1].reference, std::nullopt);
  EXPECT_EQ(found.findings[1].found, d);
}

TEST(CompareExact, OrderIsTheHashesMatter) {
  const Contact a = contact(0, 1, 0.25, 0.25);
  const Contact b = contact(1, 0, 0.5, 0.5);
  expect_exact(exact(report({a, b}), report({b, a})), 0, 0, 0);
}

TEST(CompareExact, EveryFieldCounts) {
  const Contact a = contact(0, 1, 0.25, 0.5);
  std::vector<Contact> others(7, a);
  others[0].room()->triangle = 4;
  others[1].status = ContactStatus::kGraze;
  others[2].toc[0] = std::nextafter(0.25, 0.0);
  others[3].toc[1] = std::nextafter(0.5, 1.0);
  others[4].point.z = std::nextafter(3.0, 4.0);
  others[5].normal = std::nullopt;
  others[6].limited = true;
  for (const Contact& other : others) {
    expect_exact(exact(report({a}), report({other})), 0, 0, 1);
  }
  Contact broken = a;
  broken.toc[1] = kNaN;
  expect_exact(exact(report({a}), report({broken})), 0, 0, 1);
}

TEST(CompareExact, LinksAreTouchedToo) {
  Contact object = contact(0, 0, 0.25, 0.25);
  Contact first = object;
  first.touched = OtherLink{0, 0};
  Contact second = object;
  second.touched = OtherLink{1, 0};
  Contact third = object;
  third.touched = OtherLink{1, 2};
  const StepReport all = report({object, first, second, third});
  expect_exact(exact(all, report({third, object, second, first})), 0, 0, 0);
  expect_exact(exact(all, report({object, first, third})), 1, 0, 0);
  expect_exact(exact(report({second}), report({third})), 1, 1, 0);
  expect_exact(exact(report({object}), report({first})), 1, 1, 0);
  StepReport of_another = all;
  of_another.avatar = 3;
  EXPECT_EQ(exact(of_another, report({})).findings.back().avatar, 3);
}

TEST(CompareExact, BoundsOfTheStep) {
  StepReport reference = report({contact(0, 1, 0.25, 0.25)});
  reference.clearances = {0.0, 0.5, 0.25};
  StepReport found = reference;
  found.clearances[1] = 0.4;
  found.clearances[2] = 0.2;
  expect_exact(exact(reference, found), 0, 0, 2);
  found.clearances.pop_back();
  expect_exact(exact(reference, found), 0, 0, 2);
  found = reference;
  found.safe_until = 0.2;
  expect_exact(exact(reference, found), 0, 0, 1);
}

TEST(CompareExact, CountsAllAndKeepsTheFirstFindings) {
  ExactDifferences out;
  for (int i = 0; i < 25; ++i) {
    compare_exact(report({contact(i, 0, 0.5, 0.5)}), report({}), out);
  }
  expect_exact(out, 25, 0, 0);
  ASSERT_EQ(out.findings.size(), kMostFindings);
  EXPECT_EQ(out.findings.back().reference->link, 9);
}

ImageDifferences image(const StepReport& reference, const StepReport& found,
                       Contacts contacts = Contacts::kPairs) {
  ImageDifferences out;
  compare_image(reference, found, contacts, out);
  return out;
}

Contact estimate(std::int32_t link, std::uint32_t object, double lo, double hi) {
  return contact(link, object, lo, hi, ContactStatus::kGraze);
}

TEST(CompareImage, EarlierAndWiderIsRight) {
  const ImageDifferences d = image(
      report({contact(0, 1, 0.3, 0.3 + 1e-9), contact(2, 0, 0.0, 0.0, ContactStatus::kOverlap)}),
      report({estimate(0, 1, 0.25, 0.3125), estimate(2, 0, 0.0, 0.125)}));
  EXPECT_EQ(d.contacts, 2);
  EXPECT_EQ(d.missed + d.false_pairs + d.late + d.refuted, 0);
  EXPECT_EQ(d.widths, (std::vector<double>{0.0625, 0.125}));
  ASSERT_EQ(d.early.size(), 1U);  // the overlap cannot be early
  EXPECT_DOUBLE_EQ(d.early[0], 0.05);
}

TEST(CompareImage, MissedAndFalsePairs) {
  const ImageDifferences d = image(report({contact(0, 1, 0.3, 0.3), contact(1, 1, 0.4, 0.4)}),
                                   report({estimate(0, 2, 0.25, 0.5), estimate(1, 1, 0.25, 0.5)}));
  EXPECT_EQ(d.contacts, 2);
  EXPECT_EQ(d.missed, 1);
  EXPECT_EQ(d.false_pairs, 1);
  EXPECT_EQ(d.late, 0);
  ASSERT_EQ(d.findings.size(), 1U);  // false pairs are what image space is
  EXPECT_EQ(d.findings[0].fault, Fault::kMissed);
  EXPECT_EQ(d.findings[0].reference->link, 0);
}

TEST(CompareImage, ALaterLo) {
  const auto with_lo = [](double lo) {
    return image(report({contact(0, 1, 0.3, 0.4)}), report({estimate(0, 1, lo, 0.5)}));
  };
  EXPECT_EQ(with_lo(0.3).late, 0);
  // Within the exact bracket nobody knows.
  EXPECT_EQ(with_lo(std::nextafter(0.3, 1.0)).late, 1);
  EXPECT_EQ(with_lo(0.4).late, 1);
  EXPECT_EQ(with_lo(0.4).refuted, 0);
  EXPECT_TRUE(with_lo(0.4).findings.empty());
  // Behind it a touch is proved where it says free.
  const ImageDifferences refuted = with_lo(std::nextafter(0.4, 1.0));
  EXPECT_EQ(refuted.late, 1);
  EXPECT_EQ(refuted.refuted, 1);
  ASSERT_EQ(refuted.findings.size(), 1U);
  EXPECT_EQ(refuted.findings[0].fault, Fault::kLate);
  EXPECT_EQ(with_lo(kNaN).refuted, 1);
}

TEST(CompareImage, AnOverlapIsNeverFree) {
  const ImageDifferences d = image(report({contact(0, 1, 0.0, 0.0, ContactStatus::kOverlap)}),
                                   report({estimate(0, 1, 1.0 / 512, 2.0 / 512)}));
  EXPECT_EQ(d.late, 1);
  EXPECT_EQ(d.refuted, 1);
}

TEST(CompareImage, OfTheFirstContactsOnlyTimesAreCompared) {
  const StepReport reference = report({contact(0, 1, 0.3, 0.3)});
  const StepReport other_pair = report({estimate(4, 2, 0.25, 0.5)});
  EXPECT_EQ(image(reference, other_pair).missed, 1);
  const ImageDifferences first = image(reference, other_pair, Contacts::kFirst);
  EXPECT_EQ(first.missed + first.false_pairs + first.late, 0);
  EXPECT_EQ(image(reference, report({}), Contacts::kFirst).missed, 1);
  EXPECT_EQ(image(report({}), other_pair, Contacts::kFirst).false_pairs, 1);
  EXPECT_EQ(image(reference, report({estimate(4, 2, 0.375, 0.5)}), Contacts::kFirst).refuted, 1);
}

TEST(CompareImage, Spread) {
  EXPECT_FALSE(spread_of({}).has_value());
  const auto expect = [](std::vector<double> numbers, double median, double max) {
    const auto spread = spread_of(std::move(numbers));
    ASSERT_TRUE(spread.has_value());
    EXPECT_EQ(spread->median, median);
    EXPECT_EQ(spread->max, max);
  };
  expect({2.0}, 2.0, 2.0);
  expect({3.0, 1.0}, 2.0, 3.0);
  expect({5.0, 1.0, 2.0}, 2.0, 5.0);
  expect({4.0, 1.0, 8.0, 2.0}, 3.0, 8.0);
}

}  // namespace
}  // namespace tocsin::app::validate_compare_test
