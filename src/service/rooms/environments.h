// The rooms of the service.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "service/access/access.h"
#include "service/access/memory_budget.h"
#include "service/rooms/room.h"
#include "service/session/problem.h"
#include "service/session/session_problems.h"
#include "tocsin/detector.h"
#include "tocsin/io.h"
#include "tocsin/result.h"
#include "tocsin/scene_change.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// How rooms are loaded.
struct RoomPolicy {
  std::filesystem::path folder;  ///< of LoadEnvironment's paths; empty: no paths are allowed
  /// Uploads are kept here (for records), as <start of the hash>/<name>; empty: they are deleted.
  std::filesystem::path keep;
  std::uint64_t most_upload = 256U << 20U;  ///< bytes of one upload
  std::size_t most_rooms = 64;              ///< limit for clients; unloaded rooms in use count too
  std::string
      standard;  ///< name of the operator's room for clients that name none; empty: its only
  /// The detector with which each session checks its own steps, one at a time.
  DetectorOptions alone = {};
  /// The detector that checks the steps of a room's sessions in batches, for as long as it works.
  /// None: each session checks its own. Backend::kAuto: measured in each room of the operator, and
  /// none where the CPU is as fast; in a client's room there is none, since a server that checks
  /// others meanwhile cannot be measured.
  std::optional<DetectorOptions> batches = std::nullopt;
  /// Log lines for the operator, such as a device that failed.
  Log log = nullptr;
};

/// What a client calls its room.
struct RoomRequest {
  RoomRequest(std::string wanted, bool is_shared = false, bool is_replacing = false)
      : name(std::move(wanted)), shared(is_shared), replace(is_replacing) {}
  RoomRequest(const char* wanted) : name(wanted) {}

  std::string name;
  bool shared = false;      ///< with the principal's group
  bool replace = false;     ///< its own room of that name, if there is one
  bool shape = false;       ///< it is a shape for links
  bool changeable = false;  ///< update() can change it
  /// What a shape may take; null: anything.
  MemoryBudget* memory = nullptr;
};

/// A room belongs to the operator, who shows it to all, or to the principal that loaded it. Others
/// neither see nor enter that, and may have a room of the same name, unless it is shared with their
/// group. Then they call it OWNER/NAME.
///
/// A shape for links is held as a room is, under the same names, rights and limits. It is made of
/// one file, and no session enters it.
///
/// Thread-safe. Loading runs on the caller's thread, without a time limit, and blocks no other
/// call.
class Environments {
 public:
  explicit Environments(RoomPolicy policy);

  /// Longest name of an object, in bytes. The name is sent with every contact, and used by every
  /// session's record and patterns. With the longest names a contact takes at most six times its
  /// memory (a link's name may be as long). Names of real files have some 20 bytes.
  static constexpr std::size_t kMostObjectName = 256;

  /// Loads a room of the operator, from any path (`serve --env`), without a limit. Errors: as
  /// load_paths(), with files named as given.
  Result<EnvironmentInfo> load(const std::string& name,
                               std::span<const std::filesystem::path> files,
                               const EnvironmentOptions& options,
                               std::vector<std::string>& warnings);
  /// Loads a client's room from the folder. Errors: kUsage: a name or path that is invalid, leaves
  /// the folder (by "..", a symlink, or a file that it refers to), or is taken; kInput: as
  /// load_environment, the file named relative to the folder, or an object whose name is too long;
  /// kResource: a limit, named, of rooms or of triangles.
  Result<EnvironmentInfo> load_paths(const Principal& principal, const RoomRequest& request,
                                     std::span<const std::string> paths,
                                     const EnvironmentOptions& options,
                                     std::vector<std::string>& warnings);
  /// Loads a client's upload from `bytes`, a file that the caller makes and removes. `file_name`:
  /// the client's name for it. Errors: as load_paths().
  Result<EnvironmentInfo> load_upload(const Principal& principal, const RoomRequest& request,
                                      const std::filesystem::path& bytes,
                                      const std::string& file_name,
                                      const EnvironmentOptions& options,
                                      std::vector<std::string>& warnings);
  /// Changes a room of the principal's own. `change.version` gets the new version. `memory`: what
  /// the change may take; null: anything. Problems: kNotFound: no such room; kForbidden: another's,
  /// or the principal may not; kNotNow: the room was not loaded to be changed, or has another
  /// version than `expected`; kInvalid: an edit, named; kOverloaded: a limit, named.
  std::optional<Problem> update(const Principal& principal, const std::string& name,
                                SceneChange& change, std::optional<std::uint64_t> expected,
                                MemoryBudget* memory, EnvironmentInfo& out);
  /// Errors: kInput: the principal has no such room; kUsage: it is the operator's.
  Result<EnvironmentInfo> unload(const Principal& principal, const std::string& name);
  /// True if the operator or the principal has a room of that name, or is loading one.
  /// Distinguishes load_paths()'s errors.
  [[nodiscard]] bool is_taken(const Principal& principal, const std::string& name) const;

  /// All rooms and shapes, by the names that their owners use. For the operator.
  [[nodiscard]] std::vector<EnvironmentInfo> list() const;
  /// The rooms that the principal may enter, or the shapes that its links may have, by the names
  /// that it uses.
  [[nodiscard]] std::vector<EnvironmentInfo> list(const Principal& principal,
                                                  bool shapes = false) const;
  /// Empty name: the operator's choice, its only room, or, if it has none, the principal's only
  /// one. Null if there is none; `problem` says why, with the names that the principal may use.
  [[nodiscard]] std::shared_ptr<const Room> find(const Principal& principal,
                                                 const std::string& name,
                                                 std::string& problem) const;
  /// The shape that links of the principal may have. Null: there is none; `problem` says so.
  [[nodiscard]] std::shared_ptr<const Room> find_shape(const Principal& principal,
                                                       const std::string& name,
                                                       std::string& problem) const;
  /// The room that the principal may enter which was read from files of these hashes (SHA-256, in
  /// order, referenced ones included) with these options. Null: there is none.
  [[nodiscard]] std::shared_ptr<const Room> find_equal(const Principal& principal,
                                                       std::span<const std::string> hashes,
                                                       const EnvironmentOptions& options) const;
  /// Loads a client's room again from files that this server kept, of these hashes (as in
  /// find_equal()). Errors: as load_paths(), but with the server's paths; kInput: a file has
  /// changed.
  Result<EnvironmentInfo> load_kept(const Principal& principal, const RoomRequest& request,
                                    std::span<const std::filesystem::path> files,
                                    std::span<const std::string> hashes,
                                    const EnvironmentOptions& options);
  [[nodiscard]] const RoomPolicy& policy() const { return policy_; }
  /// Why Backend::kAuto took what checks the operator's room of that name; empty: nothing was
  /// chosen, or there is no such room.
  [[nodiscard]] std::string choice(const std::string& name) const;
  /// Full names of the files of rooms that are loaded, or unloaded and in use.
  [[nodiscard]] std::set<std::filesystem::path> stored_files() const;

 private:
  [[nodiscard]] bool measures() const {
    return policy_.batches && policy_.batches->backend == Backend::kAuto;
  }

  class Reservation;
  using Key = std::pair<std::string, std::string>;  ///< owner (empty: the operator), name
  using Visible = std::map<std::string, std::shared_ptr<const Room>>;
  struct Departed {
    std::weak_ptr<const Room> room;
    std::string owner;
  };

  /// Where the parts of a room come from.
  struct Source {
    std::function<Result<RoomParts>()> read;
    /// Called once all checks of the room have passed; may be empty.
    std::function<Status(RoomParts& parts)> keep;
  };

  Result<EnvironmentInfo> add(const Principal* principal, const RoomRequest& request,
                              const EnvironmentOptions& options, const Source& source,
                              std::vector<std::string>& warnings);
  Result<EnvironmentInfo> build(const Principal* principal, const RoomRequest& request,
                                const EnvironmentOptions& options, const Source& source,
                                RoomParts parts, std::vector<std::string>& warnings);
  std::optional<Error> refusal(const Principal* principal, const RoomRequest& request) const;
  [[nodiscard]] bool is_held(const std::string& owner, const std::string& name) const;
  [[nodiscard]] Visible visible_to(const Principal& principal, bool shapes) const;
  [[nodiscard]] std::shared_ptr<const Room> only_room_of(const std::string& owner) const;
  Result<std::shared_ptr<detect::SceneVersions>> make_scene(const Principal* principal,
                                                            const RoomRequest& request,
                                                            const Environment& room) const;
  /// Null: `problem` says why.
  std::shared_ptr<const Room> own_room(const Principal& principal, const std::string& name,
                                       Problem& problem) const;
  std::optional<Problem> take_shapes(const Principal& principal, std::vector<SceneEdit>& edits,
                                     MemoryBudget* memory,
                                     std::vector<MemoryBudget::Hold>& holds) const;
  static Result<Shape> make_shape(const RoomRequest& request, RoomParts& parts);
  EnvironmentInfo put(const Principal* principal, const RoomRequest& request,
                      const std::shared_ptr<Room>& room, std::shared_ptr<const Room>& before);
  std::size_t departed(const std::string* owner) const;

  RoomPolicy policy_;
  mutable std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Room>> rooms_;
  std::set<Key> loading_;
  std::vector<Departed> departed_;  ///< unloaded; some may be in use
  std::uint64_t loaded_ = 0;
};

}  // namespace tocsin::service
