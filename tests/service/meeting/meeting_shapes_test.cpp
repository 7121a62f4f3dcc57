// Members with meshes: contacts are those of a check of several takes, from both sides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/vector/vec.h"
#include "service/meeting/meeting_cost.h"
#include "service/meeting/meeting_rig.h"
#include "tocsin/tocsin.h"

namespace tocsin::test::meeting_shapes_test {
namespace {

/// A wheel of a mesh around the pillar, or the pillar alone.
TrackOptions wheeled(bool wheel, double margin, double radius) {
  TrackOptions out = pillar_options();
  out.spec.margin = margin;
  if (!wheel) return out;
  LinkModel& link = out.model->links.emplace_back();
  link.name = "wheel";
  link.joint = "root";
  link.shape = Shape::cylinder(0.7, 0.3, 0.01, radius)
                   ->placed({{0, 1.1, 0}, {0.9, 0.3, std::sqrt(0.1), 0}, {1, 1, 1}})
                   .value();
  return out;
}

/// Frame k of member i of n: to and fro through the middle, turning.
TrackFrame frame_of(std::size_t i, std::size_t n, std::uint64_t k) {
  const double angle = 0.07 * static_cast<double>(k) + static_cast<double>(i);
  const double far = 1.6 * std::cos(0.11 * static_cast<double>(k));
  const double way = 6.28 * static_cast<double>(i) / static_cast<double>(n);
  TrackFrame out{k, static_cast<double>(k) / 100.0, {}};
  out.pose = {{{std::cos(angle / 2), 0, std::sin(angle / 2), 0},
               {far * std::cos(way), 0.05 * static_cast<double>(i), far * std::sin(way)}}};
  return out;
}

/// The distance of a point from a link's surface at a pose: from that of its features.
double off_surface(const Link& link, std::uint32_t feature, const Transform& pose, const Vec3& at) {
  const core::Mat3 turn = core::to_matrix(pose.rotation);
  double least = 1e9;
  const auto& [i, j, k] = link.shape.features()[feature];
  const auto corners = link.shape.corners();
  constexpr int kParts = 400;  // barycentric samples; the point is known to micrometres
  const auto world = [&](const Vec3& p) { return turn * p + pose.translation; };
  const Vec3 a = world(corners[i]);
  const Vec3 b = world(corners[j]);
  const Vec3 c = world(corners[k]);
  for (int u = 0; u <= kParts; ++u) {
    for (int v = 0; u + v <= kParts; ++v) {
      const double s = u / double{kParts};
      const double t = v / double{kParts};
      const Vec3 p = (1 - s - t) * a + s * b + t * c;
      least = std::min(least, core::norm(p - at));
    }
  }
  return std::fabs(least - link.shape.radius());
}

void expect_contacts_of_a_check(double margin, double radius) {
  constexpr std::uint64_t kTicks = 60;
  MeetingRig rig(room_of(far_room()));
  std::vector<TrackOptions> options{wheeled(true, margin, radius), wheeled(false, margin, 0.0),
                                    wheeled(true, margin, radius)};
  const std::size_t n = options.size();
  std::vector<std::vector<Transform>> poses(n);
  std::vector<double> ticks;
  std::vector<Visitor*> visitors;
  for (const TrackOptions& one : options) {
    visitors.push_back(rig.open(one));
    ASSERT_NE(visitors.back(), nullptr) << rig.problem.message;
  }
  for (std::uint64_t k = 0; k < kTicks; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      const TrackFrame frame = frame_of(i, n, k);
      poses[i].insert(poses[i].end(), frame.pose.begin(), frame.pose.end());
      ASSERT_FALSE(visitors[i]->offer(frame));
    }
    ticks.push_back(static_cast<double>(k));
    rig.tick();
  }
  DetectorOptions asked;
  asked.margin = margin;
  const Detector detector = Detector::make(far_room(), asked).value();
  std::vector<Member> members;
  std::vector<std::vector<Step>> steps(n);
  for (std::size_t i = 0; i < n; ++i) {
    members.push_back({Avatar::bind(*options[i].model, options[i].skeleton).value()});
    const auto motion = Motion::create_timed(options[i].skeleton, 0.01, ticks, poses[i]).value();
    for (const Step& step : motion.steps().value()) steps[i].push_back(step);
  }
  std::vector<std::vector<TrackReport>> reports;
  for (Visitor* const visitor : visitors) reports.push_back(visitor->pull());
  std::size_t of_meshes = 0;
  std::size_t seen_back = 0;
  for (std::size_t s = 0; s < kTicks - 1; ++s) {
    std::vector<Step> now;
    for (std::size_t i = 0; i < n; ++i) now.push_back(steps[i][s]);
    const auto want = detector.check_batch(members, now, {.meet = true, .threads = 1});
    for (std::size_t i = 0; i < n; ++i) {
      const TrackReport& got = reports[i][s];
      ASSERT_EQ(got.from.id, s);
      for (const Contact& contact : want[i].contacts) {
        Contact renamed = contact;
        const auto j = static_cast<std::size_t>(contact.other()->avatar);
        renamed.other()->avatar = static_cast<std::int32_t>(visitors[j]->number());
        const auto& all = got.result.contacts;
        EXPECT_NE(std::find(all.begin(), all.end(), renamed), all.end()) << s << ' ' << i;
        of_meshes += contact.link_feature || contact.other_feature ? 1U : 0U;
        // The other's report has it, from its side.
        const Contact* back = nullptr;
        for (const Contact& c : reports[j][s].result.contacts) {
          const OtherLink* const other = c.other();
          if (c.link == contact.other()->link && other != nullptr && other->link == contact.link &&
              static_cast<std::uint32_t>(other->avatar) == visitors[i]->number()) {
            back = &c;
          }
        }
        ASSERT_NE(back, nullptr);
        EXPECT_EQ(back->toc, contact.toc);
        EXPECT_EQ(back->link_feature, contact.other_feature);
        EXPECT_EQ(back->other_feature, contact.link_feature);
        if (!contact.normal || !contact.link_feature) continue;
        EXPECT_EQ(*back->normal, -1.0 * *contact.normal);
        if (contact.toc[0] > 0.0 || ++seen_back > 12) continue;
        Link link = members[i].avatar.links()[static_cast<std::size_t>(contact.link)];
        const double off = off_surface(link, *contact.link_feature, poses[i][s], back->point);
        EXPECT_LT(off, margin + 0.01) << s;  // on the surface, grown by the margin
        EXPECT_GT(off, margin - 0.01) << s;
      }
    }
  }
  EXPECT_GT(of_meshes, 30U);
}

TEST(MeetingShapes, ContactsAreThoseOfACheckOfSeveralTakes) {
  for (const double margin : {0.0, 0.04}) {
    for (const double radius : {0.0, 0.05}) {
      SCOPED_TRACE(testing::Message() << margin << ' ' << radius);
      expect_contacts_of_a_check(margin, radius);
    }
  }
}

// Meshes cost more than capsules, so that who brings them goes first.
TEST(MeetingShapesCost, WhoHasMeshesPaysForThem) {
  std::vector<Member> members;
  std::vector<Step> steps;
  for (std::size_t i = 0; i < 6; ++i) {
    TrackOptions options = wheeled(true, 0.0, 0.0);
    const Avatar with_mesh = Avatar::bind(*options.model, options.skeleton).value();
    if (i != 2) {  // the capsule around the mesh: just as large
      const Link& around = with_mesh.links().back();
      LinkModel& link = options.model->links.back();
      link.shape = {};
      link.a.offset = around.a;
      link.b.offset = around.b;
      link.radius = around.radius;
    }
    members.push_back({Avatar::bind(*options.model, options.skeleton).value()});
    const auto pose = frame_of(i, 6, 14).pose;
    const auto motion =
        Motion::create(options.skeleton, 0.01, {pose.front(), pose.front()}).value();
    steps.push_back(motion.steps().value()[0]);
  }
  EXPECT_EQ(service::costliest(members, steps, 1), std::vector<std::size_t>{2});
}

}  // namespace
}  // namespace tocsin::test::meeting_shapes_test
