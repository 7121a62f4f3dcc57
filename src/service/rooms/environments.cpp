#include "service/rooms/environments.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

#include "base/quoted.h"
#include "service/rooms/room_files.h"

namespace tocsin::service {
namespace {

/// Files that one room is merged from.
constexpr std::size_t kMostFiles = 64;

Error limit(std::string message) { return {ErrorCode::kResource, std::move(message)}; }

/// Empty, or which object's name is too long.
std::string names_fault(const Environment& environment) {
  const std::span<const Object> objects = environment.objects();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const std::size_t length = objects[i].name.size();
    if (length <= Environments::kMostObjectName) continue;
    return fmt::format("object {}: its name has {} bytes; {} are allowed", i, length,
                       Environments::kMostObjectName);
  }
  return {};
}

}  // namespace

/// A name, held while its room is loaded; given back unless the room took it over.
class Environments::Reservation {
 public:
  /// With the lock held.
  Reservation(Environments& rooms, const Principal* principal, const std::string& name)
      : rooms_(rooms),
        principal_(principal),
        name_(principal == nullptr ? std::string() : principal->name, name) {
    rooms_.loading_.insert(name_);
    if (principal_ != nullptr) ++principal_->used->environments;
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation() {
    const std::scoped_lock lock(rooms_.mutex_);
    rooms_.loading_.erase(name_);
    if (!kept_ && principal_ != nullptr) --principal_->used->environments;
  }
  void keep() { kept_ = true; }

 private:
  Environments& rooms_;
  const Principal* principal_;
  Key name_;
  bool kept_ = false;
};

Environments::Environments(RoomPolicy policy) : policy_(std::move(policy)) {}

Result<EnvironmentInfo> Environments::load(const std::string& name,
                                           std::span<const std::filesystem::path> files,
                                           const EnvironmentOptions& options,
                                           std::vector<std::string>& warnings) {
  return add(nullptr, name, options, {[&] { return read_room(files, options); }, {}}, warnings);
}

Result<EnvironmentInfo> Environments::load_paths(const Principal& principal,
                                                 const RoomRequest& request,
                                                 std::span<const std::string> paths,
                                                 const EnvironmentOptions& options,
                                                 std::vector<std::string>& warnings) {
  if (policy_.folder.empty()) {
    return {ErrorCode::kUsage, "this server has no folder of rooms; upload the file instead"};
  }
  if (paths.empty() || paths.size() > kMostFiles) {
    return {ErrorCode::kUsage,
            fmt::format("a room is read from 1 to {} files, not {}", kMostFiles, paths.size())};
  }
  if (request.shape && paths.size() > 1) {
    return {ErrorCode::kUsage, fmt::format("a shape is read from one file, not {}", paths.size())};
  }
  const auto read = [&] {
    return request.shape ? read_mesh_in(policy_.folder, paths.front())
                         : read_room_in(policy_.folder, paths, options);
  };
  return add(&principal, request, options, {read, {}}, warnings);
}

Result<EnvironmentInfo> Environments::load_upload(const Principal& principal,
                                                  const RoomRequest& request,
                                                  const std::filesystem::path& bytes,
                                                  const std::string& file_name,
                                                  const EnvironmentOptions& options,
                                                  std::vector<std::string>& warnings) {
  UploadedFile upload;  // outlives add(): a refused upload is not kept
  Source source;
  source.read = [&]() -> Result<RoomParts> {
    Result<UploadedFile> taken = UploadedFile::take(bytes, file_name, request.shape);
    if (!taken.ok()) return taken.error();
    upload = std::move(taken).value();
    return request.shape ? upload.read_mesh() : upload.read(options);
  };
  if (!policy_.keep.empty()) {
    source.keep = [&](RoomParts& parts) {
      std::uint64_t added = 0;
      Status kept = upload.keep(policy_.keep, parts.files.front(), added);
      if (kept) principal.used->disk += added;
      return kept;
    };
  }
  return add(&principal, request, options, source, warnings);
}

Result<EnvironmentInfo> Environments::add(const Principal* principal, const RoomRequest& request,
                                          const EnvironmentOptions& options, const Source& source,
                                          std::vector<std::string>& warnings) {
  const std::string& name = request.name;
  std::optional<Reservation> reservation;
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(departed_, [](const Departed& one) { return one.room.expired(); });
    if (auto error = refusal(principal, request)) return *error;
    reservation.emplace(*this, principal, name);
  }
  try {
    Result<RoomParts> parts = source.read();
    if (!parts.ok()) return parts.error();
    const std::uint64_t triangles =
        request.shape ? parts->mesh.triangles.size() : parts->environment.triangles().size();
    if (principal != nullptr && triangles > principal->limits.triangles) {
      return limit(fmt::format("the {} has {} triangles; {} may load {} at most (triangles)",
                               request.shape ? "shape" : "room", triangles,
                               base::in_quotes(principal->name), principal->limits.triangles));
    }
    std::optional<MemoryBudget::Hold> hold;
    if (request.shape) {
      if (request.memory != nullptr) hold = request.memory->take(triangles * kShapeMemory);
      if (request.memory != nullptr && !hold) {
        return limit("the server has no memory left for the shape (--memory)");
      }
      auto shape = make_shape(request, *parts);
      if (!shape) return shape.error();
      parts->shape = std::move(shape).value();
    }
    if (std::string fault = names_fault(parts->environment); !fault.empty()) {
      return {ErrorCode::kInput, fmt::format("room {}: {}", name, fault)};
    }
    Result<EnvironmentInfo> info =
        build(principal, request, options, source, std::move(parts).value(), warnings);
    if (info.ok()) reservation->keep();
    return info;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("room {}: out of memory", name)};
  } catch (const std::filesystem::filesystem_error& error) {  // its text has paths
    return {ErrorCode::kResource, fmt::format("room {}: {}", name, error.code().message())};
  } catch (const std::exception& error) {
    return {ErrorCode::kResource, fmt::format("room {}: {}", name, error.what())};
  }
}

Result<Shape> Environments::make_shape(const RoomRequest& request, RoomParts& parts) {
  auto shape = Shape::mesh(std::move(parts.mesh.corners), std::move(parts.mesh.triangles));
  if (shape) return shape;
  return {shape.error().code, fmt::format("shape {}: {}", request.name, shape.error().message)};
}

/// Null: the room never changes.
Result<std::shared_ptr<detect::SceneVersions>> Environments::make_scene(
    const Principal* principal, const RoomRequest& request, const Environment& room) const {
  using Scene = std::shared_ptr<detect::SceneVersions>;
  if (!request.changeable) return Scene();
  DetectorOptions options = policy_.alone;
  options.backend = Backend::kCpu;  // devices do not check scenes
  options.tree_cache.clear();
  detect::SceneLimits limits;
  if (principal != nullptr) {
    limits.triangles = std::min(limits.triangles, principal->limits.triangles);
  }
  auto scene = detect::SceneVersions::of(room, options, limits);
  if (scene) return scene;
  return {scene.error().code, fmt::format("a room that changes: {}", scene.error().message)};
}

Result<EnvironmentInfo> Environments::build(const Principal* principal, const RoomRequest& request,
                                            const EnvironmentOptions& options, const Source& source,
                                            RoomParts parts, std::vector<std::string>& warnings) {
  const std::string& name = request.name;
  DetectorOptions alone = policy_.alone;
  if (request.shape) alone.tree_cache.clear();  // a room without triangles
  auto detector = Detector::make(parts.environment, alone);
  if (!detector) return detector.error();
  std::shared_ptr<RoomDevice> device;
  auto scene = make_scene(principal, request, parts.environment);
  if (!scene) return scene.error();
  std::string choice;
  if (policy_.batches && !request.shape && !*scene && !(measures() && principal != nullptr)) {
    auto on_device = detector->with_backend(*policy_.batches);
    if (!on_device) return on_device.error();
    choice = on_device->backend_reason();
    if (measures()) {  // so the room is the operator's
      warnings.insert(warnings.end(), on_device->warnings().begin(), on_device->warnings().end());
    }
    if (!measures() || on_device->backend_name() != detector->backend_name()) {
      device = std::make_shared<RoomDevice>(name, *on_device, policy_.log);
      device->update(*on_device);  // it may have no memory for the room
    }
  }
  if (source.keep) {
    if (const Status kept = source.keep(parts); !kept) return kept.error();
  }
  warnings.insert(warnings.end(), parts.warnings.begin(), parts.warnings.end());
  if (principal == nullptr) {  // only the operator can repair the cache
    warnings.insert(warnings.end(), detector->warnings().begin(), detector->warnings().end());
  }
  const auto room =
      std::make_shared<Room>(name, std::move(parts.environment), std::move(detector).value());
  room->files = std::move(parts.files);
  room->shape = std::move(parts.shape);
  room->options = options;
  room->device = std::move(device);
  room->choice = std::move(choice);
  room->scene = std::move(scene).value();
  std::shared_ptr<const Room> before;  // freed without the lock
  const std::scoped_lock lock(mutex_);
  return put(principal, request, room, before);
}

Result<EnvironmentInfo> Environments::load_kept(const Principal& principal,
                                                const RoomRequest& request,
                                                std::span<const std::filesystem::path> files,
                                                std::span<const std::string> hashes,
                                                const EnvironmentOptions& options) {
  Source source;
  source.read = [&]() -> Result<RoomParts> {
    Result<RoomParts> parts = read_room(files, options);
    if (!parts.ok() || have_hashes(parts->files, hashes)) return parts;
    return {ErrorCode::kInput, fmt::format("room {}: its file has changed", request.name)};
  };
  std::vector<std::string> told_before;
  return add(&principal, request, options, source, told_before);
}

/// Under the lock. The room appears, and the one that it replaces goes, at once.
EnvironmentInfo Environments::put(const Principal* principal, const RoomRequest& request,
                                  const std::shared_ptr<Room>& room,
                                  std::shared_ptr<const Room>& before) {
  if (principal != nullptr) room->owner = principal->name;
  if (principal != nullptr && request.shared) room->shares = principal->shares;
  room->revision = ++loaded_;
  std::shared_ptr<const Room>& place = rooms_[Key(room->owner, request.name)];
  before = std::exchange(place, room);
  if (before) {
    departed_.push_back({before, room->owner});
    --principal->used->environments;
  }
  return room->info();
}

bool Environments::is_held(const std::string& owner, const std::string& name) const {
  const Key key(owner, name);
  return rooms_.contains(key) || loading_.contains(key);
}

std::optional<Error> Environments::refusal(const Principal* principal,
                                           const RoomRequest& request) const {
  const std::string& name = request.name;
  if (std::string fault = room_name_fault(name); !fault.empty()) {
    return Error{ErrorCode::kUsage, std::move(fault)};
  }
  const Key own_key(principal == nullptr ? std::string() : principal->name, name);
  const bool replaces = request.replace && rooms_.contains(own_key);
  if (is_held({}, name) || loading_.contains(own_key) || (rooms_.contains(own_key) && !replaces)) {
    return Error{ErrorCode::kUsage, fmt::format("the name {} is taken by another room", name)};
  }
  if (principal == nullptr) return std::nullopt;
  const std::string who = base::in_quotes(principal->name);
  if (!principal->limits.may_load) {
    return Error{ErrorCode::kUsage, fmt::format("{} may not load rooms", who)};
  }
  if (request.shared && principal->shares.empty()) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("visibility: {} shares rooms with nobody (\"shares\" in the tokens file)",
                    who)};
  }
  const std::size_t replaced = replaces ? 1 : 0;
  const std::size_t own = principal->used->environments + departed(&principal->name) - replaced;
  if (own >= principal->limits.environments) {
    return limit(
        fmt::format("{} may have {} rooms loaded, and has {} (those that sessions still "
                    "walk in count)",
                    who, principal->limits.environments, own));
  }
  const std::size_t all = rooms_.size() + loading_.size() + departed(nullptr) - replaced;
  if (all >= policy_.most_rooms) {
    return limit(
        fmt::format("the server holds {} rooms, its limit is {}", all, policy_.most_rooms));
  }
  return std::nullopt;
}

/// Number of unloaded rooms that sessions still use: of one owner, or (null) of all.
std::size_t Environments::departed(const std::string* owner) const {
  return static_cast<std::size_t>(
      std::count_if(departed_.begin(), departed_.end(), [owner](const Departed& one) {
        return !one.room.expired() && (owner == nullptr || one.owner == *owner);
      }));
}

Result<EnvironmentInfo> Environments::unload(const Principal& principal, const std::string& name) {
  std::shared_ptr<const Room> room;  // its memory is freed without the lock
  {
    const std::scoped_lock lock(mutex_);
    const auto found = rooms_.find(Key(principal.name, name));
    if (found == rooms_.end()) {
      if (rooms_.contains(Key({}, name))) {
        return {ErrorCode::kUsage, fmt::format("the room {} is the server's own", name)};
      }
      return {ErrorCode::kInput, fmt::format("you have no room {}", base::in_quotes(name))};
    }
    room = std::move(found->second);
    rooms_.erase(found);
    departed_.push_back({room, room->owner});
    --principal.used->environments;
  }
  return room->info();
}

}  // namespace tocsin::service
