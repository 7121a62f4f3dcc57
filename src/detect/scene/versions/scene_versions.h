// A scene whose readers are at versions of their own: a room that changes while sessions are in it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tocsin/depth.h"
#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"
#include "tocsin/scene.h"
#include "tocsin/scene_change.h"

namespace tocsin::detect {

/// What a room that changes may have.
struct SceneLimits {
  std::size_t objects = 10'000;
  std::uint64_t triangles = 20'000'000;  ///< of distinct meshes: one that is shared counts once
  /// Of meshes that did not come with the files, and corners of objects that were deformed: each
  /// record has them as text, some 50 bytes each.
  std::uint64_t sent = 500'000;
  std::size_t pair_commands = 1024;  ///< that have not been superseded
  std::size_t switches = 1024;
  std::size_t name_bytes = 256;  ///< of an object or a switch
  /// Names that objects have ever had: each keeps its number.
  std::size_t names = std::size_t{1} << 20U;
};

/// What a reader can take: a change that asks for more is refused.
struct ReaderLimits {
  std::size_t objects = SIZE_MAX;
  std::size_t name_bytes = SIZE_MAX;  ///< of all objects together
};

/// The scene as a reader's next step sees it.
struct SceneMoment {
  std::uint64_t version = 0;
  /// For that one step: objects move in it from where the reader saw them last.
  Detector detector;
  Detector rest;  ///< for the steps after it, while the version is the same
  bool moves = false;
  std::uint64_t table = 0;  ///< another number: objects have other indices
};

/// What came between two versions of a reader, for its record: changes, or the whole state if they
/// are not kept any more.
struct SceneNews {
  std::vector<std::shared_ptr<const SceneChange>> changes;
  std::optional<SceneState> state;
};

/// A version as a room of its own: the objects that are there, where they stand.
struct FlatScene {
  Environment room;
  std::vector<std::uint32_t> numbers;  ///< of its objects
  std::uint64_t version = 0;
};

class SceneReader;
struct SceneEntrance;

/// A Scene and its changes. One change takes effect at a time, all of it or nothing. A reader goes
/// to the newest version when it asks. What objects did since the version that it has seen is
/// joined into one motion for its next step: from where it saw them, or from where they jumped or
/// appeared since, to where they are now, along the way of the last kMove. An object that moved and
/// deformed, too, goes with each of its corners on a straight line.
///
/// Thread-safe. Readers' detectors are immutable.
class SceneVersions {
 public:
  /// The objects of a room's files that have triangles: version 0. Errors: as Scene::make(),
  /// Scene::add(): two objects of one name.
  static Result<std::shared_ptr<SceneVersions>> of(const Environment& room,
                                                   const DetectorOptions& options,
                                                   const SceneLimits& limits = {});
  /// A state that a record kept. `room`: as in of(). Errors (kInput): edits that cannot be done.
  static Result<std::shared_ptr<SceneVersions>> restored(const Environment& room,
                                                         const DetectorOptions& options,
                                                         const SceneState& state,
                                                         const SceneLimits& limits = {});
  SceneVersions(const SceneVersions&) = delete;
  SceneVersions& operator=(const SceneVersions&) = delete;
  ~SceneVersions();

  /// Does the edits, which name no loaded shape any more. `expected`: the version that they are
  /// for. Returns the new version. Errors, with nothing done: kInput, kUsage: as Scene's; names of
  /// objects or switches that there are not, or that are taken; the edit is named. kResource: a
  /// limit, named, or memory. kUnavailable: the version is another one.
  Result<std::uint64_t> apply(std::vector<SceneEdit> edits,
                              std::optional<std::uint64_t> expected = std::nullopt);

  [[nodiscard]] std::uint64_t version() const;
  [[nodiscard]] std::size_t objects() const;
  /// Of distinct meshes.
  [[nodiscard]] std::uint64_t triangles() const;
  /// Around all objects that are there. Errors (kResource): memory.
  [[nodiscard]] Result<std::array<Vec3f, 2>> bounds();

  // Objects by name have numbers that stay: first those of the room's files, by their index.
  [[nodiscard]] std::string name_of(std::uint32_t number) const;
  /// Names from this number on.
  [[nodiscard]] std::vector<std::string> names_from(std::size_t number) const;
  /// Contacts with objects, and distances, get these numbers in place of their indices in `room`.
  void number_objects(const Environment& room, StepReport& report) const;
  void number_objects(const Environment& room, std::span<LinkDistance> distances) const;

  /// While it lives no change takes effect, so that several readers go to one version.
  [[nodiscard]] std::unique_lock<std::mutex> hold() { return std::unique_lock(gate_); }

  /// That flat() has: of all objects that are there.
  [[nodiscard]] std::uint64_t flat_triangles() const;
  /// No reader waits while it is made. Errors (kResource): more than `most` triangles; memory.
  [[nodiscard]] Result<FlatScene> flat(std::uint64_t most = UINT64_MAX) const;
  /// The commands about pairs that are in force, in order.
  [[nodiscard]] std::vector<SceneEdit> pair_commands() const;

 private:
  friend class SceneReader;
  struct MeshUse;
  struct Entry;
  struct Undo;
  using Vertices = std::shared_ptr<const std::vector<Vec3f>>;
  struct Start {
    ShapePlacement at;
    Vertices vertices;      ///< null: the mesh's own
    bool straight = false;  ///< its corners move on straight lines, whatever its vertices are
  };
  /// Readers that have seen one version.
  struct Pin {
    std::size_t readers = 0;
    std::map<std::string, Start> starts;  ///< of objects that moved or deformed since
  };
  struct Switch {
    SwitchId id{};
    std::optional<std::string> chosen;
  };

  SceneVersions(Environment room, Scene scene, const DetectorOptions& options,
                const SceneLimits& limits);

  // All of these under mutex_. The edits of a change:
  Status apply_one(const SceneEdit& edit);
  Status add(const SceneEdit& edit);
  Status remove(Entry& entry);
  Status replace(const SceneEdit& edit, Entry& entry);
  Status place(const SceneEdit& edit, Entry& entry);
  Status move(const SceneEdit& edit, Entry& entry);
  Status deform(const SceneEdit& edit, Entry& entry);
  Status set_active(Entry& entry, bool active);
  Status change_pairs(const SceneEdit& edit);
  Status change_switch(const SceneEdit& edit);
  Status put_rule(const SceneEdit& edit);
  Status switch_parent(Entry& entry, const std::string& parent);
  void leave_switch(const Entry& entry);
  Result<std::shared_ptr<const MeshUse>> mesh_of(const SceneEdit& edit) const;
  [[nodiscard]] Status check_name(const std::string& name) const;
  [[nodiscard]] Status check_limits() const;
  [[nodiscard]] bool is_there(const Entry& entry) const;
  [[nodiscard]] std::uint64_t count_flat() const;
  /// Saved, so that it can be put back. Null: there is none.
  Entry* find(const std::string& name);
  Entry& put(Entry entry);
  void take_out(std::uint64_t order);
  void use(const std::shared_ptr<const MeshUse>& mesh);
  void release(const std::shared_ptr<const MeshUse>& mesh);
  void number(const std::string& name);
  /// Every reader's next step begins with the object as it is now...
  void note_start(const Entry& entry, bool straight = false);
  /// ... or as it will be when it moves again.
  void note_jump(const std::string& name);
  [[nodiscard]] static bool is_straight(const Entry& entry, const Start& start);
  [[nodiscard]] std::vector<Vec3f> vertices_of(const Entry& entry, const Vertices& own) const;
  void save_rules();
  void save_switches();
  void save_start(std::uint64_t version, Pin& pin, const std::string& name);
  /// Ends the motions of the last snapshot.
  Status settle();
  void roll_back();
  Status rebuild();
  void keep(SceneChange change);

  // Readers:
  [[nodiscard]] SceneState state() const;
  [[nodiscard]] std::vector<SceneEdit> starts_of(const Pin& pin) const;
  Result<Detector> rest();
  Result<SceneMoment> moment(std::uint64_t from);
  Result<SceneMoment> make_moment(const Pin& pin);
  void unpin(std::uint64_t version);

  std::mutex gate_;  ///< before mutex_; held by apply() and hold()
  mutable std::mutex mutex_;
  const Environment room_;
  const DetectorOptions options_;
  const SceneLimits limits_;
  Scene scene_;
  std::map<std::uint64_t, Entry> entries_;  ///< in the order of their indices in the scene
  std::unordered_map<std::string, std::uint64_t> by_name_;
  std::uint64_t next_order_ = 0;
  std::map<std::string, Switch> switches_;
  std::vector<SceneEdit> rules_;  ///< those that have not been superseded, in order
  std::uint64_t version_ = 0;
  std::uint64_t table_ = 0;
  std::uint64_t triangles_ = 0;
  std::uint64_t sent_ = 0;      ///< triangles of meshes that are not the files'
  std::uint64_t deformed_ = 0;  ///< corners
  std::size_t name_bytes_ = 0;
  std::map<const MeshUse*, std::size_t> uses_;
  bool unsettled_ = false;
  std::set<std::uint64_t> deforming_;  ///< entries that were told to since it was settled
  std::size_t told_moves_ = 0;         ///< that the scene may remember until its next snapshot
  std::unique_ptr<Undo> undo_;         ///< of the change that is being done
  std::map<std::uint64_t, Pin> pins_;
  std::map<const SceneReader*, ReaderLimits> readers_;
  std::map<std::uint64_t, SceneMoment> moments_;  ///< of this version, by the one before
  std::optional<Detector> rest_;                  ///< of this version
  std::deque<std::pair<std::shared_ptr<const SceneChange>, std::size_t>> log_;  ///< and bytes
  std::size_t log_bytes_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
  bool lost_ = false;  ///< the scene must be made anew: memory was out
};

/// One session's place in the versions, for its whole life. Used by one thread at a time.
class SceneReader {
 public:
  /// At the newest version; nothing moves there. Errors (kResource): `limits`, memory.
  static Result<SceneEntrance> enter(std::shared_ptr<SceneVersions> scene,
                                     const ReaderLimits& limits);
  /// Whose next step is at the newest version, with these starts (SceneState::starts).
  /// Errors (kInput): an object that there is not.
  static Result<std::unique_ptr<SceneReader>> with_starts(std::shared_ptr<SceneVersions> scene,
                                                          std::span<const SceneEdit> starts);
  SceneReader(const SceneReader&) = delete;
  SceneReader& operator=(const SceneReader&) = delete;
  ~SceneReader();

  [[nodiscard]] SceneVersions& scene() const { return *scene_; }
  /// That it has seen.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  /// Goes to the newest version. None: it is there already. `news`: what came since, for a record;
  /// null: nobody asks. Errors: kResource: memory; then it stays where it is.
  Result<std::optional<SceneMoment>> next(SceneNews* news = nullptr);

 private:
  SceneReader(std::shared_ptr<SceneVersions> scene, std::uint64_t version);

  const std::shared_ptr<SceneVersions> scene_;
  std::uint64_t version_;
};

/// A reader that has come.
struct SceneEntrance {
  std::unique_ptr<SceneReader> reader;
  SceneMoment moment;
  std::optional<SceneState> state;  ///< for a record; none: as the files have it
};

}  // namespace tocsin::detect
