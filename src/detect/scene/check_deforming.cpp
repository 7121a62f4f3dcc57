#include "detect/scene/check_deforming.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "detect/scene/deforming_pair.h"
#include "detect/step/clearance.h"
#include "scene/instance/placed_tree.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {
namespace {

core::Box grown(const core::Box& box, double by) {
  return core::grown_box(core::to_double(box.lo), core::to_double(box.hi), by);
}

/// Sets `out` to the triangles of an object that stands which meet the box, in order.
void find_standing(const scene::Instance& instance, const core::Box& box,
                   std::vector<MovingTriangle>& out) {
  out.clear();
  const scene::MeshData& mesh = *instance.mesh;
  scene::PlacedTree(mesh, instance.at)
      .visit([&](const core::Box& node) { return core::overlap(node, box); },
             [&](std::uint32_t triangle) {
               const auto corners = scene::placed_corners(mesh, instance.at, triangle);
               MovingTriangle one{triangle, corners, corners};
               if (core::overlap(box_of(one), box)) out.push_back(one);
             });
  std::sort(out.begin(), out.end(),
            [](const auto& p, const auto& q) { return p.triangle < q.triangle; });
}

class Check {
 public:
  Check(const ExactStep& exact, std::size_t index, const std::stop_token& stop)
      : exact_(exact),
        scene_(*exact.scene()),
        index_(index),
        own_(scene_.deformers()[index]),
        limits_{exact.options().margin, exact.options().tolerance, &stop} {}

  StepReport run() {
    report_.frames = {0, 1};
    // The margin is once a pair.
    near_ = grown(own_.box, limits_.margin);
    scene_.instances().tree().visit(near_, [&](std::uint32_t object) {
      if (scene_.active(own_.object, object)) meet_standing(object);
      return true;
    });
    for (std::size_t i = index_ + 1; i < scene_.deformers().size(); ++i) {
      const Deformer& other = scene_.deformers()[i];
      if (core::overlap(near_, other.box) && scene_.active(own_.object, other.object)) {
        meet_deforming(i);
      }
    }
    add_inside();
    scene_.add_held(rank(), report_);
    scene::sort_contacts(report_.contacts);
    report_.safe_until = 1.0;
    for (const Contact& c : report_.contacts) {
      report_.safe_until = std::min(report_.safe_until, c.toc[0]);
    }
    if (exact_.options().clearance) add_clearance();
    if (exact_.options().contacts == Contacts::kFirst) keep_least(report_.contacts);
    return std::move(report_);
  }

 private:
  /// Its place among all objects in motion.
  [[nodiscard]] std::size_t rank() const { return scene_.movers().size() + index_; }
  void meet_standing(std::uint32_t object) {
    const scene::Instance& other = scene_.instances()[object];
    scene_.deformers().find_near(index_, grown(other.box, limits_.margin), first_);
    find_standing(other, near_, second_);
    meet(object);
  }
  void meet_deforming(std::size_t i) {
    const Deformer& other = scene_.deformers()[i];
    scene_.deformers().find_near(index_, grown(other.box, limits_.margin), first_);
    scene_.deformers().find_near(i, near_, second_);
    meet(other.object);
  }
  void meet(std::uint32_t object) {
    thread_local DeformingPair pair;
    go_on(limits_.stop);
    const auto contact = pair.contact(first_, second_, object, limits_, report_.counters);
    if (contact) report_.contacts.push_back(*contact);
  }

  /// What touches no surface is inside, or not, as a whole: each of its parts is.
  void add_inside() {
    if (exact_.solid().none()) return;
    for (const std::uint32_t triangle : scene::parts_of(*own_.before)) {
      const Vec3 corner =
          core::to_double(scene::placed_corners(*own_.before, own_.at, triangle)[0]);
      const auto is_asked = [&](std::uint32_t object) {
        return scene_.tells(rank(), object) && scene_.active(own_.object, object);
      };
      exact_.solid().for_each_around(corner, is_asked, [&](std::uint32_t object) {
        if (Contact* const c = place_for_inside(report_, object)) {
          *c = {};
          c->touched = RoomTriangle{object, 0};
          c->status = ContactStatus::kOverlap;
          c->inside = true;
          c->point = corner;
          c->link_feature = triangle;
        }
      });
    }
  }

  /// By boxes: a bound, not a tight one.
  void add_clearance() {
    double least = report_.contacts.empty() ? HUGE_VAL : 0.0;
    const auto lower = [&](std::uint32_t object, const core::Box& box) {
      const double apart = distance_between(own_.box, box) - limits_.margin;
      if (apart < least && scene_.active(own_.object, object)) least = std::max(apart, 0.0);
    };
    scene_.instances().tree().visit_if(
        [&](const core::Box& box) {
          return distance_between(own_.box, box) - limits_.margin < least;
        },
        [&](std::uint32_t object) {
          lower(object, scene_.instances()[object].box);
          return true;
        });
    for (std::size_t i = index_ + 1; i < scene_.deformers().size(); ++i) {
      lower(scene_.deformers()[i].object, scene_.deformers()[i].box);
    }
    report_.clearances = {least};
  }

  const ExactStep& exact_;
  const SceneView& scene_;
  std::size_t index_;
  const Deformer& own_;
  DeformingLimits limits_;
  core::Box near_;  ///< what may touch it meets this
  StepReport report_;
  std::vector<MovingTriangle> first_;
  std::vector<MovingTriangle> second_;
};

}  // namespace

StepReport check_deforming(const ExactStep& exact, std::size_t index, const std::stop_token& stop) {
  const auto failed = [](ErrorCode code, const char* why) {
    StepReport out;
    out.frames = {0, 1};
    out.error = Error{code, why};
    return out;
  };
  try {
    return Check(exact, index, stop).run();
  } catch (const std::bad_alloc&) {
    return failed(ErrorCode::kResource, "out of memory while objects were checked");
  } catch (const Stopped&) {
    return failed(ErrorCode::kCancelled, "stopped in the midst of a step");
  }
}

}  // namespace tocsin::detect
