// A room that changes at random, and what sessions in it should be told: a scene that is built anew
// for every report, from the test's own history of the objects.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "detect/scene/random_world.h"
#include "detect/scene/versions/scene_versions.h"
#include "service/session/session_rig.h"

namespace tocsin::test {

/// Metres: what sessions of these tests ask for (TrackOptions::nearest).
inline constexpr double kNear = 0.3;
/// Seconds: the same (TrackOptions::lookahead).
inline constexpr double kAhead = 0.1;

/// What a step should find.
struct ExpectedStep {
  StepReport report;
  std::vector<LinkDistance> near;  ///< where it ends, within kNear
  std::vector<Contact> ahead;      ///< if it goes on for kAhead, in the room as it ends
  std::vector<std::string> names;  ///< of the objects, by the indices in both
  std::size_t moving = 0;          ///< objects that move in it...
  std::size_t straight = 0;        ///< ... of which with all corners on straight lines
};

/// What the test knows of an object in one version.
struct KnownObject {
  std::size_t mesh = 0;
  ShapePlacement at;
  bool active = true;
  std::vector<Vec3f> vertices;  ///< it was deformed; empty: the mesh's own
  InBetween in_between = InBetween::kScrew;
  std::uint64_t jumped = 0;      ///< the last version in which it came, jumped or appeared...
  ShapePlacement landed;         ///< ... and where...
  std::vector<Vec3f> landed_as;  ///< ... with which vertices
  /// The last version since in which it was told to go elsewhere on straight lines; 0: none.
  std::uint64_t straight = 0;
};

/// Objects in the order in which they came.
using KnownRoom = std::vector<std::pair<std::string, KnownObject>>;

inline Shape shape_of(const WorldMesh& mesh) {
  std::vector<Vec3> corners;
  for (const Vec3f& v : mesh.vertices) corners.push_back({v.x, v.y, v.z});
  return Shape::mesh(std::move(corners), mesh.triangles).value();
}

/// One writer. known(v) may be asked by any thread.
class ChangingRoom {
 public:
  explicit ChangingRoom(std::uint64_t seed) : random_(seed) {
    meshes_.push_back(box_mesh());
    for (const int triangles : {7, 60}) meshes_.push_back(cloud_mesh(random_, triangles));
    std::vector<ObjectMesh> files;
    KnownRoom first;
    for (std::size_t i = 0; i < meshes_.size(); ++i) {
      files.push_back({"file" + std::to_string(i), meshes_[i].vertices, meshes_[i].triangles});
      KnownObject object;
      object.mesh = i;
      first.emplace_back(files.back().name, object);
    }
    history_.push_back(std::move(first));
    Environment room = Environment::create(std::move(files)).value();
    auto made = std::make_shared<service::Room>("hall", room, Detector::make(room).value());
    made->scene = detect::SceneVersions::of(room, {}).value();
    room_ = made;
  }

  [[nodiscard]] const std::shared_ptr<const service::Room>& room() const { return room_; }
  [[nodiscard]] detect::SceneVersions& scene() const { return *room_->scene; }
  [[nodiscard]] KnownRoom known(std::uint64_t version) const {
    const std::scoped_lock lock(mutex_);
    return history_.at(version);
  }
  [[nodiscard]] std::uint64_t changes() const {
    const std::scoped_lock lock(mutex_);
    return history_.size() - 1;
  }

  /// One change of one to three edits.
  void change() {
    KnownRoom now = known(changes());
    const std::uint64_t version = changes() + 1;
    std::vector<SceneEdit> edits;
    const std::size_t count = 1 + random_.below(3);
    for (std::size_t i = 0; i < count; ++i) edits.push_back(edit(now, version));
    {
      const std::scoped_lock lock(mutex_);  // before any session can see it
      history_.push_back(std::move(now));
    }
    const auto applied = scene().apply(std::move(edits));
    ASSERT_TRUE(applied.ok()) << applied.error().message;
    ASSERT_EQ(applied.value(), version);
  }

  /// What a step should find, by a scene of its own.
  [[nodiscard]] ExpectedStep expected(const RoomVersions& saw, const Avatar& avatar,
                                      const Step& step) const {
    ExpectedStep out;
    const KnownRoom from = known(saw.from);
    const KnownRoom to = known(saw.to);
    Scene scene = Scene::make().value();
    struct Motion {
      ObjectId id;
      const KnownObject* object;
      bool straight;
    };
    std::vector<Motion> motions;
    for (const auto& [name, object] : to) {
      const auto before = std::find_if(from.begin(), from.end(),
                                       [&n = name](const auto& one) { return one.first == n; });
      const bool seen = object.jumped <= saw.from && before != from.end();
      const ShapePlacement start = seen ? before->second.at : object.landed;
      const auto& began_as = seen ? before->second.vertices : object.landed_as;
      const ObjectId id = scene.add(name, meshes_[object.mesh].mesh, start).value();
      if (!began_as.empty()) done(scene.deform(id, began_as));
      if (!object.active) done(scene.deactivate(id));
      const bool moves = !is_same_place(start, object.at);
      const bool deforms = vertices_of(object.mesh, began_as) != vertices_of(object);
      const bool straight = deforms || object.straight > (seen ? saw.from : 0);
      if (!object.active || !(moves || deforms)) continue;
      motions.push_back({id, &object, straight});
    }
    for (int i = 0; i < 2; ++i) static_cast<void>(scene.snapshot().value());  // all stand
    for (const Motion& one : motions) {
      const KnownObject& object = *one.object;
      done(one.straight ? scene.deform(one.id, vertices_of(object), object.at)
                        : scene.move(one.id, {object.at.rotation, object.at.translation},
                                     object.in_between));
      out.straight += one.straight ? 1 : 0;
    }
    out.moving = motions.size();
    const Detector detector = scene.snapshot().value();
    for (const Object& object : detector.environment().objects()) out.names.push_back(object.name);
    out.report = detector.check(avatar, step);
    out.near = detector.nearest(avatar, step, 1.0, kNear).value();
    const Detector rest = scene.snapshot().value();  // all stand where they went
    for (std::size_t i = 0; i < out.names.size(); ++i) {
      EXPECT_EQ(rest.environment().objects()[i].name, out.names[i]);
    }
    const Step ahead = step_ahead(step, kAhead).value();
    out.ahead = contacts_ahead(rest.check(avatar, ahead).value().contacts);
    return out;
  }

 private:
  [[nodiscard]] const std::vector<Vec3f>& vertices_of(std::size_t mesh,
                                                      const std::vector<Vec3f>& own) const {
    return own.empty() ? meshes_[mesh].vertices : own;
  }
  [[nodiscard]] const std::vector<Vec3f>& vertices_of(const KnownObject& object) const {
    return vertices_of(object.mesh, object.vertices);
  }
  static bool is_same_place(const ShapePlacement& a, const ShapePlacement& b) {
    return a.translation == b.translation && a.rotation == b.rotation && a.scale == b.scale;
  }

  ShapePlacement place() {
    ShapePlacement at;
    at.translation = random_.vector(0, 0.7);
    at.rotation = random_.rotation(random_.uniform(0, 3.0));
    const double size = random_.uniform(0.1, 0.4);
    at.scale = {size, size, size};
    return at;
  }

  static void jump(KnownObject& object, std::uint64_t version) {
    object.jumped = version;
    object.landed = object.at;
    object.landed_as = object.vertices;
    object.straight = 0;
  }

  /// Other vertices, another place, or both.
  void deform(KnownObject& object, std::uint64_t version, SceneEdit& out) {
    out.verb = SceneVerb::kDeform;
    const std::size_t what = random_.below(3);
    if (what != 1) {
      out.vertices = meshes_[object.mesh].vertices;
      for (Vec3f& v : out.vertices) {
        const Vec3 by = random_.vector(0, 0.3);
        v = {v.x + static_cast<float>(by.x), v.y + static_cast<float>(by.y),
             v.z + static_cast<float>(by.z)};
      }
      object.vertices = out.vertices;
    }
    if (what == 0) return;
    object.at.translation = object.at.translation + random_.vector(0, 0.6);
    object.at.rotation = random_.rotation(random_.uniform(0, 1.5));
    object.at.scale = random_.uniform(0.7, 1.4) * object.at.scale;
    out.to = object.at;
    object.straight = version;
  }

  SceneEdit edit(KnownRoom& now, std::uint64_t version) {
    SceneEdit out;
    const double kind = random_.uniform(0, 1);
    if (now.size() < 4 || (kind < 0.15 && now.size() < 12)) return add(now, version);
    const std::size_t at = random_.below(now.size());
    auto& [name, object] = now[at];
    out.object = name;
    if (kind < 0.3) {
      out.verb = SceneVerb::kPlace;
      out.at = object.at = place();
      jump(object, version);
    } else if (kind < 0.42) {
      deform(object, version, out);
    } else if (kind < 0.72) {
      out.verb = SceneVerb::kMove;
      object.at.translation = object.at.translation + random_.vector(0, 0.6);
      object.at.rotation = random_.rotation(random_.uniform(0, 1.5));
      object.in_between = random_.below(2) == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
      out.at = object.at;
      out.in_between = object.in_between;
    } else if (kind < 0.8) {
      out.verb = SceneVerb::kReplace;
      object.mesh = random_.below(meshes_.size());
      object.vertices.clear();
      out.shape = shape_of(meshes_[object.mesh]);
      jump(object, version);
      std::rotate(now.begin() + static_cast<std::ptrdiff_t>(at),
                  now.begin() + static_cast<std::ptrdiff_t>(at) + 1, now.end());
    } else if (kind < 0.9) {
      out.verb = object.active ? SceneVerb::kDeactivate : SceneVerb::kActivate;
      object.active = !object.active;
      if (object.active) jump(object, version);
    } else {
      out.verb = SceneVerb::kRemove;
      now.erase(now.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return out;
  }

  SceneEdit add(KnownRoom& now, std::uint64_t version) {
    SceneEdit out;
    out.verb = SceneVerb::kAdd;
    out.object = "object" + std::to_string(++count_ % 20);
    const auto is_taken = [&](const std::string& name) {
      return std::any_of(now.begin(), now.end(),
                         [&](const auto& one) { return one.first == name; });
    };
    while (is_taken(out.object)) out.object = "object" + std::to_string(++count_ % 20);
    KnownObject object;
    object.mesh = random_.below(meshes_.size());
    object.at = place();
    jump(object, version);
    out.shape = shape_of(meshes_[object.mesh]);
    out.at = object.at;
    now.emplace_back(out.object, object);
    return out;
  }

  RandomLinks random_;
  std::vector<WorldMesh> meshes_;
  std::shared_ptr<const service::Room> room_;
  mutable std::mutex mutex_;
  std::vector<KnownRoom> history_;
  int count_ = 0;
};

/// How much a comparison has seen.
struct SeenChanges {
  std::size_t steps = 0;
  std::size_t with_contacts = 0;
  std::size_t with_motions = 0;
  std::size_t straight = 0;           ///< objects in them with all corners on straight lines
  std::size_t joined = 0;             ///< steps that saw several changes at once
  std::size_t touched_in_motion = 0;  ///< steps with motions, and contacts
  std::size_t near_in_motion = 0;     ///< distances where such a step ended
  std::size_t ahead_of_motion = 0;    ///< contacts predicted there
};

inline TrackOptions near_options_of(const RandomTake& take) {
  TrackOptions out = options_of(take);
  out.lookahead = kAhead;
  out.nearest = kNear;
  out.most_distances = 1024;
  return out;
}

/// A report's distances are those of the scene.
inline void compare_near(const ChangingRoom& room, const TrackReport& report,
                         const ExpectedStep& want) {
  ASSERT_EQ(report.distances.size(), want.near.size());
  ASSERT_EQ(report.distance_objects.size(), want.near.size());
  for (std::size_t k = 0; k < want.near.size(); ++k) {
    LinkDistance one = want.near[k];
    EXPECT_EQ(report.distance_objects[k], want.names[one.nearest.object]);
    one.nearest.object = report.distances[k].nearest.object;
    EXPECT_EQ(room.scene().name_of(one.nearest.object), report.distance_objects[k]);
    EXPECT_EQ(report.distances[k], one);
  }
}

/// What a report predicts is that of the scene at rest.
inline void compare_ahead(const ChangingRoom& room, const TrackReport& report,
                          const ExpectedStep& want) {
  const auto& got = report.ahead ? report.ahead->contacts : std::vector<ForeseenContact>();
  ASSERT_EQ(got.size(), want.ahead.size());
  for (std::size_t k = 0; k < got.size(); ++k) {
    Contact one = want.ahead[k];
    auto& touched = std::get<RoomTriangle>(one.touched);
    EXPECT_EQ(got[k].names.object, want.names[touched.object]);
    touched.object = got[k].contact.room()->object;
    EXPECT_EQ(room.scene().name_of(touched.object), got[k].names.object);
    EXPECT_EQ(got[k].contact, one);
  }
}

/// The session's reports are what the room's own history says. `take`: the frames were 0, 1, ...
/// `near`: it asked for distances and predictions.
inline void compare(const ChangingRoom& room, const RandomTake& take,
                    const std::vector<TrackReport>& reports, SeenChanges& seen, bool near = false) {
  std::vector<Transform> poses;
  std::vector<double> ticks;
  if (reports.empty()) return;
  for (std::size_t i = 0; i <= reports.size(); ++i) {
    const FrameStamp at = i == 0 ? reports[0].from : reports[i - 1].to;
    ASSERT_TRUE(i == 0 || i == reports.size() || reports[i].from == at) << "a gap";
    const auto pose = take.motion.pose(static_cast<std::int64_t>(at.id));
    poses.insert(poses.end(), pose.begin(), pose.end());
    ticks.push_back(at.capture_time);
  }
  const Motion motion = Motion::create_timed(take.motion.skeleton(), 1.0, ticks, poses).value();
  const StepList steps = motion.steps().value();
  std::uint64_t version = reports[0].room.value().from;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const RoomVersions saw = reports[i].room.value();
    ASSERT_EQ(saw.from, version) << "versions are missing";
    ASSERT_GE(saw.to, saw.from);
    version = saw.to;
    const ExpectedStep expected = room.expected(saw, take.avatar, steps[i]);
    const StepReport& want = expected.report;
    const std::vector<std::string>& names = expected.names;
    const std::size_t moving = expected.moving;
    ASSERT_FALSE(want.error);
    EXPECT_EQ(saw.moves, moving > 0) << "step " << i;
    ASSERT_EQ(reports[i].result.contacts.size(), want.contacts.size()) << "step " << i;
    EXPECT_EQ(reports[i].result.safe_until, want.safe_until);
    for (std::size_t k = 0; k < want.contacts.size(); ++k) {
      Contact contact = want.contacts[k];
      auto& touched = std::get<RoomTriangle>(contact.touched);
      EXPECT_EQ(reports[i].names.at(k).object, names[touched.object]);
      touched.object = reports[i].result.contacts[k].room()->object;
      EXPECT_EQ(room.scene().name_of(touched.object), reports[i].names[k].object);
      EXPECT_EQ(reports[i].result.contacts[k], contact) << "step " << i;
    }
    if (near) {
      ASSERT_NO_FATAL_FAILURE(compare_near(room, reports[i], expected)) << "step " << i;
      ASSERT_NO_FATAL_FAILURE(compare_ahead(room, reports[i], expected)) << "step " << i;
    }
    ++seen.steps;
    seen.with_contacts += want.contacts.empty() ? 0 : 1;
    seen.with_motions += moving > 0 ? 1 : 0;
    seen.joined += saw.to > saw.from + 1 ? 1 : 0;
    seen.touched_in_motion += moving > 0 && !want.contacts.empty() ? 1 : 0;
    seen.straight += expected.straight;
    seen.near_in_motion += moving > 0 ? expected.near.size() : 0;
    seen.ahead_of_motion += moving > 0 ? expected.ahead.size() : 0;
  }
}

}  // namespace tocsin::test
