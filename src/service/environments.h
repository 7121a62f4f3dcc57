// The rooms that sessions walk in.
#pragma once

#include <atomic>
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
#include <vector>

#include "service/access.h"
#include "service/room_device.h"
#include "service/session_problems.h"
#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/io.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// A file that a room was read from.
struct RoomFile {
  std::string shown;             ///< relative to the folder, or an upload's name
  std::filesystem::path stored;  ///< where it lies; empty if an upload was not kept
  std::string sha256;            ///< of its bytes
  bool referenced = false;       ///< by the one before: a .gltf's buffer, no room by itself
};

/// A room. Immutable; sessions keep it alive after it was unloaded.
struct Room {
  std::string name;
  std::uint64_t revision = 0;
  std::vector<RoomFile> files;
  EnvironmentOptions options;
  Environment environment;
  Detector detector;  ///< the CPU's; Detector::asked() gives a session its own, with the same tree
  std::shared_ptr<RoomDevice> device;  ///< that checks what it can in batches; null: none
  std::string owner;                   ///< the principal that loaded it; empty: the operator
  mutable std::atomic<std::uint32_t> sessions{0};  ///< in it now

  Room(std::string room_name, Environment room, Detector room_detector)
      : name(std::move(room_name)),
        environment(std::move(room)),
        detector(std::move(room_detector)) {}
  [[nodiscard]] EnvironmentInfo info() const;
};

/// What a room is made of, once read.
struct RoomParts {
  Environment environment;  ///< of all files, in order
  std::vector<RoomFile> files;
  std::vector<std::string> warnings;
};

/// How rooms are loaded.
struct RoomPolicy {
  std::filesystem::path folder;  ///< that LoadEnvironment's paths are in; empty: none may be given
  /// Uploads are kept here (for records), as <start of the hash>/<name>; empty: they are not.
  std::filesystem::path keep;
  std::uint64_t most_upload = 256U << 20U;  ///< bytes of one upload
  std::size_t most_rooms = 64;  ///< that clients may add to; those that sessions still use count
  std::string tree_cache;       ///< DetectorOptions::tree_cache
  /// Who checks sessions' steps. A device does it in batches, and the CPU where that fails; the CPU
  /// does it session by session. kAuto: the CPU.
  Backend backend = Backend::kAuto;
  CudaOptions cuda = {};
  /// In batches on the CPU, too. For tests: a device does it faster.
  bool batches = false;
  /// Lines for the operator: a device that failed.
  Log log = nullptr;

  [[nodiscard]] bool uses_batches() const {
    return batches || backend == Backend::kGl || backend == Backend::kCuda;
  }
  /// A room's, on its device.
  [[nodiscard]] DetectorOptions device_options() const;
};

/// Thread-safe. Loading takes as long as it takes, on the caller's thread, and blocks nobody else.
class Environments {
 public:
  explicit Environments(RoomPolicy policy);

  /// Bytes of an object's name. Every contact with it carries the name to the client, and every
  /// session's record and patterns look at it: a contact takes at most six times its memory with
  /// the longest names (a link's may be as long). Names of real files have some 20 bytes.
  static constexpr std::size_t kMostObjectName = 256;

  /// The operator's own, from anywhere (`serve --env`), however many. Errors: as load_paths(),
  /// files named as given.
  Result<EnvironmentInfo> load(const std::string& name,
                               std::span<const std::filesystem::path> files,
                               const EnvironmentOptions& options,
                               std::vector<std::string>& warnings);
  /// A client's, from the folder. Errors: kUsage: a name or path that makes no sense, leaves the
  /// folder (by "..", a symlink, or a file that it refers to), or is taken; kInput: as
  /// load_environment, the file named relative to the folder, or an object whose name is too long;
  /// kResource: a limit, named, of rooms or of triangles.
  Result<EnvironmentInfo> load_paths(const Principal& principal, const std::string& name,
                                     std::span<const std::string> paths,
                                     const EnvironmentOptions& options,
                                     std::vector<std::string>& warnings);
  /// A client's, uploaded to `bytes` (a file that the caller made and removes), called `file_name`
  /// by its client. Errors: as load_paths().
  Result<EnvironmentInfo> load_upload(const Principal& principal, const std::string& name,
                                      const std::filesystem::path& bytes,
                                      const std::string& file_name,
                                      const EnvironmentOptions& options,
                                      std::vector<std::string>& warnings);
  /// Errors: kInput: no such room; kUsage: another's.
  Result<EnvironmentInfo> unload(const Principal& principal, const std::string& name);
  /// Whether a room has that name, or one that is being loaded: tells load_paths()'s errors apart.
  [[nodiscard]] bool is_taken(const std::string& name) const;

  [[nodiscard]] std::vector<EnvironmentInfo> list() const;
  /// Empty name: the only one. Null if there is none; `problem` says why, with the names there are.
  [[nodiscard]] std::shared_ptr<const Room> find(const std::string& name,
                                                 std::string& problem) const;
  [[nodiscard]] const RoomPolicy& policy() const { return policy_; }

 private:
  class Reservation;
  struct Departed {
    std::weak_ptr<const Room> room;
    std::string owner;
  };

  /// Where the parts of a room come from.
  struct Source {
    std::function<Result<RoomParts>()> read;
    /// Once nothing speaks against the room any more; may be empty.
    std::function<Status(RoomParts& parts)> keep;
  };

  Result<EnvironmentInfo> add(const Principal* principal, const std::string& name,
                              const EnvironmentOptions& options, const Source& source,
                              std::vector<std::string>& warnings);
  Result<EnvironmentInfo> build(const Principal* principal, const std::string& name,
                                const EnvironmentOptions& options, const Source& source,
                                RoomParts parts, std::vector<std::string>& warnings);
  std::optional<Error> refusal(const Principal* principal, const std::string& name) const;
  std::size_t departed(const std::string* owner) const;

  RoomPolicy policy_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Room>> rooms_;
  std::set<std::string> loading_;   ///< names
  std::vector<Departed> departed_;  ///< unloaded, some perhaps still in use
  std::uint64_t loaded_ = 0;
};

}  // namespace tocsin::service
