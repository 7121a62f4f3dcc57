// Scenes for the certify stage: steps of some avatars, what the CPU says about them, and what the
// stage says if it is handed every candidate that the CPU's leaf test keeps.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "gpu/cuda/contacts/certify_stage.h"
#include "gpu/cuda/stages/device_room.h"
#include "gpu/cuda/stages/motion_stage.h"
#include "scene/swept/step_motion.h"
#include "scene/tree/may_touch.h"
#include "support/scenes/random_crowd.h"
#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::test {

using core::batch::Candidate;
using core::batch::ContactRecord;
using core::batch::LinkPair;
using core::batch::StepTally;

/// Members and a step of each; all of them at the same time.
struct CertifyScene {
  Environment room;
  std::vector<Member> members;
  std::vector<Step> steps;
  DetectorOptions options = {.backend = Backend::kCpu};

  void add(const Avatar& avatar, const Step& step, const ActivePairs& active = {}) {
    members.push_back({avatar, active, LinkPairs::of(avatar)});
    steps.push_back(step);
  }
};

/// Contacts, item by item, with the room or with links.
using Contacts = std::vector<std::vector<Contact>>;

inline Contacts contacts_on_cpu(const CertifyScene& scene, bool of_links) {
  const Detector detector = Detector::make(scene.room, scene.options).value();
  RunOptions options;
  options.meet = of_links;
  options.threads = 1;
  Contacts out;
  for (const StepReport& report : detector.check_batch(scene.members, scene.steps, options)) {
    EXPECT_FALSE(report.error) << report.error->message;
    out.emplace_back();
    for (const Contact& c : report.contacts) {
      if ((c.other() != nullptr) == of_links) out.back().push_back(c);
    }
  }
  return out;
}

/// What a contact is made of, each number by its bits.
inline std::vector<std::uint64_t> bits_of(const Contact& c) {
  const RoomTriangle room = c.room() != nullptr ? *c.room() : RoomTriangle{};
  const OtherLink other = c.other() != nullptr ? *c.other() : OtherLink{-1, -1};
  const Vec3 n = c.normal.value_or(Vec3{});
  std::vector<std::uint64_t> out{static_cast<std::uint64_t>(c.link),
                                 room.object,
                                 room.triangle,
                                 static_cast<std::uint64_t>(c.status),
                                 c.limited,
                                 c.normal.has_value(),
                                 static_cast<std::uint64_t>(other.avatar),
                                 static_cast<std::uint64_t>(other.link)};
  for (const double x : {c.toc[0], c.toc[1], c.point.x, c.point.y, c.point.z, n.x, n.y, n.z}) {
    out.push_back(std::bit_cast<std::uint64_t>(x));
  }
  return out;
}

inline void expect_same_bits(const Contacts& got, const Contacts& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(got[i].size(), want[i].size()) << "item " << i;
    for (std::size_t k = 0; k < want[i].size(); ++k) {
      ASSERT_EQ(bits_of(got[i][k]), bits_of(want[i][k])) << "item " << i << ", contact " << k;
    }
  }
}

/// A scene on a device.
class CertifyRun {
 public:
  CertifyRun(std::shared_ptr<cuda::Device> device, const CertifyScene& scene)
      : device_(device),
        scene_(scene),
        room_(device, scene.room),
        motion_(device),
        stage_(device),
        near_(device),
        swept_(device),
        at0_(device),
        result_(device) {
    std::vector<cuda::BatchItem> items;
    for (std::size_t i = 0; i < scene.members.size(); ++i) {
      const Member& m = scene.members[i];
      items.push_back({&m.avatar, &scene.steps[i], &m.active, &m.self, 0});
    }
    data_.set(items, 1, scene.room.objects().size(), scene.options.margin);
    motion_.upload(data_);
    motion_.move(room_.view().bounds);
    std::vector<std::uint32_t> all(motion_.view().link_count);
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    near_.upload(all);
    motion_.sweep(near_.data(), all.size(), room_.view().bounds, swept_, at0_);
    result_.begin(scene.members.size());
  }

  /// All links as near links, all triangles that the leaf test keeps, in any order.
  Contacts with_room() { return with_room(candidates()); }
  /// All links as near links, these candidates.
  Contacts with_room(const std::vector<Candidate>& candidates) {
    cuda::Array<Candidate> on_device(device_);
    on_device.upload(candidates);
    stage_.with_room(motion_.view(), room_.view(),
                     {near_.data(), swept_.data(), at0_.data(), near_.size()}, on_device,
                     scene_.options.tolerance, result_);
    return told();
  }

  /// All pairs of links that somebody may ask about: no broadphase.
  Contacts of_links() {
    std::vector<LinkPair> all(data_.self_pairs.begin(), data_.self_pairs.end());
    for (std::uint32_t i = 0; i < near_.size(); ++i) {
      for (std::uint32_t k = i + 1; k < near_.size(); ++k) {
        if (item_of(i) != item_of(k)) all.push_back({i, k});
      }
    }
    std::sort(all.begin(), all.end(), [](const LinkPair& p, const LinkPair& q) {
      return std::pair(p.first, p.second) < std::pair(q.first, q.second);
    });
    return of_links(all);
  }
  /// These pairs of links.
  Contacts of_links(const std::vector<LinkPair>& pairs) {
    cuda::Array<LinkPair> on_device(device_);
    on_device.upload(pairs);
    stage_.of_links(motion_.view(), on_device, scene_.options.tolerance, result_);
    return told();
  }

  /// Of all that was asked.
  [[nodiscard]] const std::vector<StepTally>& tallies() const { return tallies_; }
  cuda::Array<core::SweptLink>& swept() { return swept_; }
  [[nodiscard]] const core::batch::RoomView& room() const { return room_.view(); }
  /// How the joints of all members move, one after the other. Overwriting it changes what the
  /// stage makes of pairs of links, not swept().
  [[nodiscard]] std::vector<core::JointMotion> joint_motions() const {
    std::vector<core::JointMotion> out(motion_.view().joint_count);
    device_->download(out.data(), motion_.view().motions, out.size() * sizeof(core::JointMotion));
    return out;
  }
  void overwrite(const std::vector<core::JointMotion>& joints) {
    device_->upload(motion_.view().motions, joints.data(),
                    joints.size() * sizeof(core::JointMotion));
  }

  [[nodiscard]] std::vector<Candidate> candidates() const {
    std::vector<Candidate> out;
    const double farthest = room_.view().farthest;
    scene::StepMotion motion;
    const core::Box bounds = room_.view().bounds;
    for (std::size_t item = 0; item < scene_.members.size(); ++item) {
      motion.begin(scene_.members[item].avatar, scene_.steps[item], scene_.options.margin, bounds);
      for (std::size_t l = 0; l < motion.link_count(); ++l) {
        const scene::NearTest test(motion.link(l), farthest);
        for (std::uint32_t t = 0; t < room_.view().triangle_count; ++t) {
          const auto [a, b, c] = scene_.room.corners(t);
          if (!test.may_touch(a, b, c)) continue;
          out.push_back({data_.steps[item].first_link + static_cast<std::uint32_t>(l), t});
        }
      }
    }
    std::shuffle(out.begin(), out.end(), std::mt19937(5));
    return out;
  }

 private:
  [[nodiscard]] std::uint32_t item_of(std::uint32_t link) const {
    std::uint32_t item = 0;
    while (item + 1 < data_.steps.size() && data_.steps[item + 1].first_link <= link) ++item;
    return item;
  }
  [[nodiscard]] Contacts told() {
    result_.end();
    result_.wait();
    Contacts out(scene_.members.size());
    for (const ContactRecord& r :
         result_.records().subspan(std::exchange(told_, result_.records().size()))) {
      const std::uint32_t item = item_of(r.link);
      Contact c;
      c.link = static_cast<std::int32_t>(r.link - data_.steps[item].first_link);
      c.touched = RoomTriangle{r.object, r.triangle};
      c.status = static_cast<ContactStatus>(r.status);
      c.toc = {r.lo, r.hi};
      c.point = r.point;
      if (r.has_normal != 0) c.normal = r.normal;
      c.limited = r.limited != 0;
      if (r.other != core::batch::kNone) {
        const std::uint32_t other = item_of(r.other);
        c.touched = OtherLink{static_cast<std::int32_t>(other),
                              static_cast<std::int32_t>(r.other - data_.steps[other].first_link)};
      }
      out[item].push_back(c);
    }
    tallies_.assign(result_.tallied().begin(), result_.tallied().end());
    return out;
  }

  std::shared_ptr<cuda::Device> device_;
  const CertifyScene& scene_;
  cuda::BatchData data_;
  cuda::DeviceRoom room_;
  cuda::MotionStage motion_;
  cuda::CertifyStage stage_;
  cuda::Array<std::uint32_t> near_;
  cuda::Array<core::SweptLink> swept_;
  cuda::Array<core::AxisState> at0_;
  cuda::PieceResult result_;
  std::size_t told_ = 0;  ///< of its records
  std::vector<StepTally> tallies_;
};

}  // namespace tocsin::test
