// A scene: objects that come, go, move, change shape and are switched on and off, while others ask.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/shape.h"
#include "tocsin/step_report.h"
#include "tocsin/types.h"

namespace tocsin {

namespace detail {
struct SceneState;
}
namespace scene {
struct MeshData;
}

/// Triangles that many objects share: kept once, with their tree. Immutable; copies share their
/// data.
class Mesh {
 public:
  Mesh() = default;

  /// In the mesh's own coordinates, metres. Builds its tree. Errors (kInput): no triangles, and as
  /// Environment::create.
  static Result<Mesh> create(std::vector<Vec3f> vertices, std::vector<TriangleIndices> triangles);
  /// The surface of a shape, its corners rounded to floats: a box, a cylinder, a cone, a hull.
  /// Errors (kInput): no shape; one with a radius, or made of points and segments (use a Link).
  static Result<Mesh> of(const Shape& shape);
  /// A closed mesh about the origin that holds the sphere and reaches at most `tolerance` metres
  /// beyond it. Errors (kInput): a radius that is not between 1e-6 and 1e6 m; a tolerance that is
  /// not above 0, or asks for more than two million triangles. Links have exact spheres
  /// (Shape::sphere).
  static Result<Mesh> sphere(double radius, double tolerance);
  /// One object of a room, where it stands. Errors: kUsage: no such object; kInput: no triangles.
  static Result<Mesh> of(const Environment& room, std::uint32_t object);

  [[nodiscard]] bool empty() const { return data_ == nullptr; }
  [[nodiscard]] std::uint32_t triangle_count() const;
  /// True if it is closed, and so may be solid (docs/exact.md, "Solids").
  [[nodiscard]] bool closed() const;

 private:
  friend class Scene;
  std::shared_ptr<const scene::MeshData> data_;
};

/// An object of a scene. None is used twice.
enum class ObjectId : std::uint64_t {};
/// A switch of a scene: of its objects at most one is there.
enum class SwitchId : std::uint64_t {};

/// V-COLLIDE's library (paper 003, Tables 1 and 2) as a value that keeps no pose history: one
/// writer changes it, snapshot() gives a Detector that never changes, and shares with others all
/// that did not change. docs/scenes.md has a table of the paper's calls.
///
/// An object *stands*, or it *moves*: what move() was told since the last snapshot is the object's
/// motion during the step that the next snapshot's detector is asked about, from local time 0 to 1;
/// in the snapshot after that it stands at the end. place() is a jump: nothing is claimed about the
/// way.
///
/// Contacts name objects by their index in the snapshot's environment().objects(), which has their
/// names. Indices of objects stay from snapshot to snapshot, until compacted() says otherwise.
/// Corners of objects that stand are rounded to floats, as those of every room; those of an object
/// that moves are not, so that they differ by 2^-24 of the coordinate at most.
///
/// Every function that changes something either does so or returns an error and changes nothing.
/// Errors of all: kUsage: an id that there is not; kResource: memory. Where memory runs out in the
/// midst of a change, the scene says so, and refuses everything from then on; its snapshots stay
/// good.
class Scene {
 public:
  /// `options`: of all snapshots' detectors. Errors (kUsage): options out of range; a backend other
  /// than kAuto and kCpu: devices do not check scenes yet; options without certify.
  static Result<Scene> make(const DetectorOptions& options = {});
  Scene(Scene&&) noexcept;
  Scene& operator=(Scene&&) noexcept;
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;
  ~Scene();

  /// Adds an object. Errors: kInput: no name, or one that another object has; a place as in
  /// place(); more than 2^31 triangles in all.
  Result<ObjectId> add(std::string name, const Mesh& mesh, const ShapePlacement& at = {});
  /// Adds all objects of a room that have triangles, each where it stands. Errors as add().
  Result<std::vector<ObjectId>> add(const Environment& room);
  Status remove(ObjectId object);
  /// The object has another mesh from now on, where it stands; one that was told to move does so
  /// with it, a deformation that it was told of is forgotten. It is another object in reports: its
  /// index changes. Errors: kInput: as add() and move().
  Status replace(ObjectId object, const Mesh& mesh);

  /// It stands there from now on. Errors (kInput): numbers that are not finite; a rotation that is
  /// not of unit length within 1e-3; a scale of 0; corners that leave 1e6 m.
  Status place(ObjectId object, const ShapePlacement& at);
  /// It moves there, from where it is, in the step that the next snapshot is asked about. The scale
  /// stays. Repeated before a snapshot, the last counts. One that is told to move to where it is
  /// rests, as if nothing had been said. Errors: kInput: as place(); corners that leave 1e6 m about
  /// the mesh's own origin, scaled; more than 2^24 triangles; kUsage: it also deforms in this step:
  /// deform() with a place does both.
  Status move(ObjectId object, const Transform& to, InBetween in_between = InBetween::kScrew);

  /// Its corners move, in the step that the next snapshot is asked about, on straight lines from
  /// where they are to these: the mesh's vertices, as many, in its own coordinates. Other objects
  /// of the mesh stay as they are. Repeated before a snapshot, the last counts. It is checked
  /// against everything else, and not against itself. Errors: kInput: another number of vertices,
  /// one that is not finite or leaves 1e6 m; kUsage: it also moves in this step.
  Status deform(ObjectId object, std::vector<Vec3f> vertices);
  /// The same, and the object is at another place at the end, or at another scale: its corners move
  /// on straight lines to where `to` puts these vertices; none: those that it has. Errors besides,
  /// kInput: as place(); a scale that turns it inside out.
  Status deform(ObjectId object, std::vector<Vec3f> vertices, const ShapePlacement& to);

  /// Objects are active at first. One that is not touches nothing.
  Status activate(ObjectId object);
  Status deactivate(ObjectId object);
  /// Pairs of two objects. Of all commands about a pair, by objects or by patterns, the latest
  /// counts.
  Status activate_pair(ObjectId a, ObjectId b);
  Status deactivate_pair(ObjectId a, ObjectId b);
  /// Pairs `LINK:OBJECT` or `OBJECT:OBJECT` (either way round), two shell globs, also of objects
  /// that are added later; the first ':' separates them. Links are those of all avatars. A Member's
  /// own ActivePairs are asked besides. Errors (kUsage): a pattern without ':'.
  Status activate_pairs(std::string_view pattern);
  Status deactivate_pairs(std::string_view pattern);

  /// A switch, or a level of detail: of its objects only the chosen one is there; at first none. If
  /// memory runs out: SwitchId{0}, which there never is.
  SwitchId add_switch();
  /// Puts an object under a switch, and takes it away from the one before.
  Status set_switch(ObjectId object, SwitchId parent);
  /// Takes an object away from its switch.
  Status clear_switch(ObjectId object);
  /// Errors (kUsage): an object that is not under this switch.
  Status choose(SwitchId parent, ObjectId object);
  Status choose_none(SwitchId parent);

  /// None if there is no such object.
  [[nodiscard]] Result<ObjectId> find(std::string_view name) const;
  /// Its index in the environment of snapshots. Errors (kUsage): no such object.
  [[nodiscard]] Result<std::uint32_t> index_of(ObjectId object) const;
  [[nodiscard]] std::size_t size() const;
  /// How often indices have changed: after many removals.
  [[nodiscard]] std::uint64_t compacted() const;

  /// The scene as it is, for any number of readers; also ends the motions that the last snapshot
  /// had. Costs some microseconds, and what changed: O(log n) an object. Objects that were removed
  /// keep their names and indices in environment() until compacted() says otherwise, and touch
  /// nothing.
  Result<Detector> snapshot();

 private:
  Scene();
  std::unique_ptr<detail::SceneState> state_;
};

/// What happens in a scene during one step.
struct SceneReport {
  std::vector<StepReport> members;    ///< as Detector::check_batch gives them
  std::vector<ObjectReport> objects;  ///< as Detector::check_objects gives them
};

/// Everything that moves against everything else, all at the same time: members and the objects
/// that move, each against the objects that stand and against each other. `scene`: of a snapshot.
/// steps[i]: of members[i]. Errors are in the reports.
[[nodiscard]] SceneReport check_scene(const Detector& scene, std::span<const Member> members,
                                      std::span<const Step> steps, RunOptions options = {});

}  // namespace tocsin
