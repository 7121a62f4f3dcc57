// One contact, seen from both ends.
#include "service/meeting/meeting_contacts.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "core/vector/vec.h"
#include "support/scenes/random_link.h"

namespace tocsin::service::meeting_contacts_test {
namespace {

// Two axes whose nearest points are the middle of one and the middle or an end of the other, at a
// known distance: both surfaces are known.
TEST(MeetingContacts, TheOtherSideHasTheSameLine) {
  test::RandomLinks random(3);
  for (int i = 0; i < 1000; ++i) {
    const Vec3 n = random.direction();
    const Vec3 along = core::cross(n, random.direction());  // square to n
    const Vec3 across = core::cross(n, random.direction());
    const Vec3 p = random.vector(0, 100);  // on the first's axis
    const double distance = random.uniform(0.01, 1.0);
    const double radius = random.uniform(0.01, 0.5);
    const double other_radius = random.uniform(0.01, 0.5);
    const bool at_end = i % 3 == 0;  // leaning away from the other axis
    const AxisAt first{p + (at_end ? 0.5 * n : Vec3{}) - along, at_end ? p : p + along};
    const Vec3 q = p - distance * n;  // on the other's
    static_cast<void>(across);
    Contact contact;
    contact.normal = n;
    contact.point = q + other_radius * n;
    contact.toc = {0.25, 0.5};
    const Contact mirrored = from_other_side(contact, first, radius, other_radius);
    EXPECT_EQ(mirrored.toc, contact.toc);
    EXPECT_EQ(mirrored.normal, -1.0 * n);
    EXPECT_LT(core::norm(mirrored.point - (p - radius * n)), 1e-12);
  }
}

TEST(MeetingContacts, WhereAxesMeetThePointStays) {
  Contact contact;
  contact.point = {1, 2, 3};
  const Contact mirrored = from_other_side(contact, {{}, {0, 1, 0}}, 0.1, 0.2);
  EXPECT_EQ(mirrored.point, contact.point);
  EXPECT_FALSE(mirrored.normal);
}

Contact with_object(std::int32_t link, std::uint32_t object) {
  Contact out;
  out.link = link;
  out.touched = RoomTriangle{object, 0};
  out.toc = {0.5, 0.6};
  return out;
}
Contact with_other(std::int32_t link, std::int32_t member, std::int32_t other, double lo) {
  Contact out;
  out.link = link;
  out.toc = {lo, lo + 0.1};
  out.touched = OtherLink{member, other};
  return out;
}

TEST(MeetingContacts, ComeBehindTheRoomAndOneself) {
  const std::vector<Contact> own{with_object(0, 4), with_object(1, 1), with_object(1, 3),
                                 with_other(1, 0, 5, 0.7), with_object(3, 0)};
  const std::vector<Contact> met{with_other(0, 2, 1, 0.4), with_other(1, 2, 0, 0.3),
                                 with_other(1, 9, 0, 0.2), with_other(2, 7, 7, 0.8)};
  TickResult all;
  all.contacts = met;
  all.safe_until = 0.2;
  StepReport report;
  report.contacts = own;
  report.safe_until = 0.5;
  add_meeting_contacts(all, Contacts::kPairs, report);
  EXPECT_EQ(report.safe_until, 0.2);
  const std::vector<Contact> want{own[0], met[0], own[1], own[2], own[3],
                                  met[1], met[2], met[3], own[4]};
  EXPECT_EQ(report.contacts, want);

  report.contacts = {own[1]};
  add_meeting_contacts(all, Contacts::kFirst, report);
  EXPECT_EQ(report.contacts, (std::vector<Contact>{met[2]}));
  TickResult nobody;
  add_meeting_contacts(nobody, Contacts::kFirst, report);
  EXPECT_EQ(report.contacts, (std::vector<Contact>{met[2]}));
}

}  // namespace
}  // namespace tocsin::service::meeting_contacts_test
