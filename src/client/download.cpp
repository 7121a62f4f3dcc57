#include "client/download.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>

#include "client/status.h"
#include "tocsin/client.h"
#include "tocsin/v1/collision.grpc.pb.h"
#include "wire/values.h"

namespace tocsin {
namespace detail {
namespace {

/// Bytes: what a part counts at most, so that sums do not overflow.
constexpr std::uint64_t kHuge = std::uint64_t{1} << 40U;

/// Collects what comes, and keeps the first problem.
class Collector {
 public:
  Collector(const v1::DownloadRequest& request, std::uint64_t most)
      : have_(request.have().begin(), request.have().end()), most_(most) {}

  /// False: nothing more is wanted.
  bool take(const v1::DownloadResponse& response) {
    if (response.has_head()) return take_head(response.head());
    if (response.has_chunk()) return take_chunk(response.chunk());
    return true;  // of a later version
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

  Result<Parts> finish(bool head_only) {
    if (!has_head_) return fail("a download without a head");
    if (!end_part()) return Error{ErrorCode::kInput, problem_};
    for (const wire::PartHead& head : out_.heads) {
      const std::string hash = wire::text_of(head.sha256);
      if (head_only || out_.bytes.contains(hash) || has(hash)) continue;
      return fail(fmt::format("\"{}\" was not sent", head.name));
    }
    return std::move(out_);
  }

 private:
  Error fail(std::string why) {
    if (problem_.empty()) problem_ = "the server's download: " + std::move(why);
    return {ErrorCode::kInput, problem_};
  }
  bool refuse(std::string why) {
    fail(std::move(why));
    return false;
  }
  [[nodiscard]] bool has(const std::string& hash) const { return have_.contains(hash); }

  bool take_head(const v1::DownloadHead& head) {
    if (std::exchange(has_head_, true)) return refuse("a second head");
    out_.environment = head.environment();
    std::uint64_t bytes = 0;
    for (const v1::DownloadPart& part : head.parts()) {
      const auto hash = wire::hash_from(part.sha256());
      if (!hash) return refuse(hash.error().message);
      if (!has(part.sha256())) bytes += std::min(part.bytes(), kHuge);
      if (bytes > most_) {
        return refuse(fmt::format("it has more than {} bytes, as many as were asked for", most_));
      }
      out_.heads.push_back({part.name(), part.number(), part.bytes(), *hash, part.radius()});
    }
    const auto all = wire::hash_from(head.sha256());
    if (!all) return refuse(all.error().message);
    out_.sha256 = *all;
    if (wire::hash_of(out_.heads) == out_.sha256) return true;
    return refuse("its parts are not those of its hash");
  }

  bool take_chunk(const v1::DownloadChunk& chunk) {
    if (chunk.part() >= out_.heads.size()) return refuse("a chunk of no part");
    if (!part_ || *part_ != chunk.part()) {
      if (!end_part()) return false;
      part_ = chunk.part();
    }
    bytes_ += chunk.data();
    if (bytes_.size() <= out_.heads[*part_].bytes) return true;
    return refuse(fmt::format("\"{}\" is longer than was said", out_.heads[*part_].name));
  }

  bool end_part() {
    if (!part_) return true;
    const wire::PartHead& head = out_.heads[*part_];
    if (bytes_.size() != head.bytes || wire::hash_of(bytes_) != head.sha256) {
      return refuse(fmt::format("the bytes of \"{}\" are not those of its hash", head.name));
    }
    out_.bytes.insert_or_assign(wire::text_of(head.sha256), std::exchange(bytes_, {}));
    part_.reset();
    return true;
  }

  const std::unordered_set<std::string> have_;
  const std::uint64_t most_;
  bool has_head_ = false;
  Parts out_;
  std::optional<std::uint32_t> part_;  ///< whose chunks come
  std::string bytes_;
  std::string problem_;
};

}  // namespace

Result<Parts> download(ConnectionState& connection, const v1::DownloadRequest& request,
                       std::uint64_t most, const std::stop_token& stop) {
  grpc::ClientContext context;
  connection.prepare(context);
  const std::stop_callback gives_up(stop, [&context] { context.TryCancel(); });
  const auto reader = connection.stub().Download(&context, request);
  Collector collector(request, most);
  v1::DownloadResponse response;
  while (reader->Read(&response)) {
    if (collector.take(response)) continue;
    context.TryCancel();
    static_cast<void>(reader->Finish());
    return {ErrorCode::kInput, collector.problem()};
  }
  const grpc::Status status = reader->Finish();
  if (stop.stop_requested()) return {ErrorCode::kCancelled, "the download was given up"};
  if (!status.ok()) return error_of(status, connection.target());
  return collector.finish(request.head_only());
}

}  // namespace detail

namespace {

/// Hashes in one request, as the server takes them.
constexpr std::size_t kMostHashes = 16'384;

Error not_connected() {
  return {ErrorCode::kUsage, "there is no connection: Connection::open() makes one"};
}

v1::DownloadRequest request_for(const RoomSource& which) {
  v1::DownloadRequest out;
  if (which.session.empty()) {
    out.set_environment(which.environment);
  } else {
    out.set_session(which.session);
  }
  return out;
}

/// Objects of a room that the client has, by their hashes.
class KnownObjects {
 public:
  KnownObjects(const WatchedRoom* room, v1::DownloadRequest& request) {
    if (room == nullptr) return;
    packer_.emplace(room->environment);
    for (const wire::PartHead& head : wire::heads_of(*packer_, room->numbers)) {
      const std::string hash = wire::text_of(head.sha256);
      if (places_.size() < kMostHashes && places_.emplace(hash, next_).second) {
        request.add_have(hash);
      }
      ++next_;
    }
  }
  /// Precondition: the server was told of it.
  std::string bytes_of(const std::string& hash) { return packer_->pack(places_.at(hash)); }

 private:
  std::optional<wire::ObjectPacker> packer_;
  std::unordered_map<std::string, std::size_t> places_;
  std::size_t next_ = 0;
};

}  // namespace

std::array<std::uint8_t, 32> room_sha256(const Environment& room,
                                         const std::vector<std::uint32_t>& numbers) {
  wire::ObjectPacker packer(room);
  return wire::hash_of(wire::heads_of(packer, numbers));
}

Result<RoomHead> Connection::room_head(const RoomSource& which) const {
  if (!state_) return not_connected();
  v1::DownloadRequest request = request_for(which);
  request.set_head_only(true);
  const auto parts = detail::download(*state_, request, UINT64_MAX);
  if (!parts) return parts.error();
  RoomHead out;
  out.info = wire::from_wire(parts->environment);
  for (const wire::PartHead& head : parts->heads) out.bytes += head.bytes;
  out.sha256 = parts->sha256;
  return out;
}

Result<WatchedRoom> Connection::download_room(const RoomSource& which, const WatchedRoom* before,
                                              std::uint64_t most_bytes,
                                              const std::stop_token& stop) const {
  if (!state_) return not_connected();
  v1::DownloadRequest request = request_for(which);
  KnownObjects known(before, request);
  const auto parts = detail::download(*state_, request, most_bytes, stop);
  if (!parts) return parts.error();
  WatchedRoom out;
  std::vector<ObjectMesh> objects;
  for (const wire::PartHead& head : parts->heads) {
    const std::string hash = wire::text_of(head.sha256);
    const auto sent = parts->bytes.find(hash);
    auto object = wire::unpack_object(
        head.name, sent != parts->bytes.end() ? sent->second : known.bytes_of(hash));
    if (!object) return object.error();
    objects.push_back(std::move(object).value());
    out.numbers.push_back(head.number);
  }
  auto room = Environment::create(std::move(objects));
  if (!room) return room.error();
  out.info = wire::from_wire(parts->environment);
  out.environment = std::move(room).value();
  out.sha256 = parts->sha256;
  return out;
}

Result<Avatar> Connection::download_avatar(const WatchedSession& session, std::uint64_t most_bytes,
                                           const std::stop_token& stop) const {
  if (!state_) return not_connected();
  v1::DownloadRequest request;
  request.set_shapes_of(session.session);
  const auto parts = detail::download(*state_, request, most_bytes, stop);
  if (!parts) return parts.error();
  std::vector<Link> links(session.avatar.links().begin(), session.avatar.links().end());
  for (const wire::PartHead& head : parts->heads) {
    if (head.number >= links.size()) {
      return {ErrorCode::kInput, fmt::format("the server has a shape of link {}", head.number)};
    }
    auto shape = wire::unpack_shape(parts->bytes.at(wire::text_of(head.sha256)), head.radius);
    if (!shape) return shape.error();
    Link& link = links[head.number];
    link = link_of_shape(link.name, link.joint, std::move(shape).value());
  }
  return Avatar::create(session.avatar.name(), session.avatar.skeleton(), std::move(links));
}

}  // namespace tocsin
