#include "service/watch/download_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "service/rpc/call_support.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

/// Bytes of a chunk. Larger: many downloads hold more memory.
constexpr std::size_t kChunk = 256U << 10U;
/// As the proto file says.
constexpr int kMostHashes = 16'384;
/// Bytes for a triangle: as it is sent, and, in a room that changes, as a room of its own.
constexpr std::uint64_t kSentMemory = 24;
constexpr std::uint64_t kFlatMemory = 72;
/// Triangles of a room that changes, in which many objects may share a mesh. As many as it may have
/// of different meshes.
constexpr std::uint64_t kMostFlat = 20'000'000;

std::string name_for(const Room& room, const Principal& principal) {
  return room.owner.empty() || room.owner == principal.name ? room.name
                                                            : room.owner + "/" + room.name;
}

void put(const wire::PartHead& head, v1::DownloadPart& out) {
  wire::put_text(head.name, *out.mutable_name());
  out.set_number(head.number);
  out.set_bytes(head.bytes);
  out.set_sha256(wire::text_of(head.sha256));
  out.set_radius(head.radius);
}

std::uint64_t triangles_of(const Room& room) {
  return room.scene ? room.scene->flat_triangles() : room.environment.triangles().size();
}

/// Its parts may be packed now, if it has no more triangles then.
grpc::Status take_memory(MemoryBudget& memory, const Room& room, std::uint64_t triangles,
                         MemoryBudget::Hold& out) {
  if (room.scene && triangles > kMostFlat) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED,
            fmt::format("the room's objects have {} triangles, those that they share counted for "
                        "each; {} can be downloaded",
                        triangles, kMostFlat)};
  }
  auto hold = memory.take(triangles * (kSentMemory + (room.scene ? kFlatMemory : 0)));
  if (!hold) return no_memory_status();
  out = std::move(*hold);
  return grpc::Status::OK;
}

}  // namespace

Result<Downloaded> Downloaded::of(const Room& room, std::uint64_t most) {
  Downloaded out;
  std::vector<std::uint32_t> numbers;
  Environment now = room.environment;
  if (room.scene) {
    auto flat = room.scene->flat(most);
    if (!flat) return flat.error();
    out.version_ = flat->version;
    numbers = std::move(flat->numbers);
    now = std::move(flat->room);
  }
  out.packer_.emplace(std::move(now));
  out.heads_ = wire::heads_of(*out.packer_, numbers);
  return out;
}

Downloaded Downloaded::of(const Avatar& avatar) {
  Downloaded out;
  out.avatar_ = avatar;
  const auto links = avatar.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i].shape.empty()) continue;
    const std::string bytes = wire::pack_shape(links[i].shape);
    std::string name;
    wire::put_text(links[i].name, name);
    out.heads_.push_back({std::move(name), static_cast<std::uint32_t>(i), bytes.size(),
                          wire::hash_of(bytes), links[i].shape.radius()});
  }
  return out;
}

std::string Downloaded::pack(std::size_t part) {
  return packer_ ? packer_->pack(part)
                 : wire::pack_shape(avatar_->links()[heads_[part].number].shape);
}

// ---- Beginning ----

DownloadCall::Reactor* DownloadCall::start(Switchboard& board, grpc::CallbackServerContext* context,
                                           const grpc::ByteBuffer& request) {
  const std::shared_ptr<DownloadCall> call(new DownloadCall(board, context));
  call->self_ = call;
  grpc::Status status;
  try {
    status = call->enter(request);
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  if (status.ok()) {
    call->have_done(&DownloadCall::send_head);
  } else {
    call->end(status);
  }
  return call.get();
}

DownloadCall::~DownloadCall() {
  if (counted_) downloads_->leave(principal_.get());
}

grpc::Status DownloadCall::enter(const grpc::ByteBuffer& request) {
  grpc::Status refusal;
  principal_ = admit(*context_, board_, refusal);
  if (!principal_) return refusal;
  v1::DownloadRequest message;
  grpc::ByteBuffer bytes = request;  // shares them
  std::uint64_t memory = 0;
  if (grpc::Status parsed = parse(bytes, message, memory); !parsed.ok()) return parsed;
  if (message.have_size() > kMostHashes) {
    return {grpc::StatusCode::INVALID_ARGUMENT,
            fmt::format("have: {} hashes; at most {}", message.have_size(), kMostHashes)};
  }
  have_.insert(message.have().begin(), message.have().end());
  head_only_ = message.head_only();
  if (grpc::Status found = find(message); !found.ok()) return found;
  counted_ = downloads_->enter(principal_.get(), kMostDownloads, kMostDownloadsOfOne);
  if (!counted_) {
    return {grpc::StatusCode::RESOURCE_EXHAUSTED,
            fmt::format("too many downloads ({} at once, {} of them one's own)", kMostDownloads,
                        kMostDownloadsOfOne)};
  }
  if (room_) {
    most_ = triangles_of(*room_);
    if (auto taken = take_memory(board_.memory, *room_, most_, hold_); !taken.ok()) return taken;
  }
  late_.Set(std::chrono::system_clock::now() + kDownloadTimeout,
            [weak = weak_from_this()](bool late) {
              const auto call = late ? weak.lock() : nullptr;
              if (!call) return;
              const std::scoped_lock lock(call->mutex_);
              if (!call->done_) call->context_->TryCancel();
            });
  return grpc::Status::OK;
}

grpc::Status DownloadCall::find(const v1::DownloadRequest& request) {
  if (request.of_case() == v1::DownloadRequest::kEnvironment) {
    std::string problem;
    room_ = board_.engine->rooms().find(*principal_, request.environment(), problem);
    if (room_) return grpc::Status::OK;
    return {grpc::StatusCode::NOT_FOUND, problem};
  }
  const bool shapes = request.of_case() == v1::DownloadRequest::kShapesOf;
  if (!shapes && request.of_case() != v1::DownloadRequest::kSession) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "of what? A room, or a session"};
  }
  subject_ = board_.engine->watch().find({principal_->name, principal_->circle(), {}, {}},
                                         shapes ? request.shapes_of() : request.session());
  if (!subject_) {
    return {grpc::StatusCode::NOT_FOUND, "there is no such session, or not any more"};
  }
  if (shapes) return grpc::Status::OK;
  room_ = subject_->room.lock();
  if (room_) return grpc::Status::OK;
  return {grpc::StatusCode::NOT_FOUND, "there is no such session, or not any more"};
}

// ---- Work, and what is sent ----

void DownloadCall::have_done(Work work) {
  try {
    board_.chores.submit(WorkerPool::Lane::kSlow, [self = shared_from_this(), work] {
      grpc::Status status;
      try {
        status = (self.get()->*work)();
      } catch (const std::bad_alloc&) {
        status = out_of_memory_status();
      }
      if (!status.ok()) self->end(status);
    });
  } catch (const std::bad_alloc&) {
    end(out_of_memory_status());
  }
}

grpc::Status DownloadCall::send_head() {
  const std::scoped_lock lock(mutex_);
  if (room_) {
    auto made = Downloaded::of(*room_, most_);
    if (!made) return to_status(made.error());
    what_ = std::move(made).value();
  } else {
    what_ = Downloaded::of(subject_->avatar);
  }
  v1::DownloadResponse message;
  v1::DownloadHead& head = *message.mutable_head();
  if (room_) {
    EnvironmentInfo info = room_->info();
    info.name = name_for(*room_, *principal_);
    info.version = what_->version();
    wire::to_wire(info, *head.mutable_environment());
  }
  for (const wire::PartHead& part : what_->heads()) put(part, *head.add_parts());
  head.set_sha256(wire::text_of(wire::hash_of(what_->heads())));
  if (head_only_) part_ = what_->heads().size();
  return send(message);
}

/// Packs the next part that the client lacks, and sends its beginning; or ends the call.
grpc::Status DownloadCall::pack_next() {
  const std::scoped_lock lock(mutex_);
  const auto& heads = what_->heads();
  while (part_ < heads.size() && have_.contains(wire::text_of(heads[part_].sha256))) ++part_;
  if (part_ == heads.size()) {
    end(grpc::Status::OK);
    return grpc::Status::OK;
  }
  have_.insert(wire::text_of(heads[part_].sha256));  // one that comes twice is sent once
  bytes_ = what_->pack(part_++);
  sent_ = 0;
  return send_chunk();
}

grpc::Status DownloadCall::send_chunk() {
  v1::DownloadResponse message;
  v1::DownloadChunk& chunk = *message.mutable_chunk();
  chunk.set_part(static_cast<std::uint32_t>(part_ - 1));
  chunk.set_data(bytes_.substr(sent_, kChunk));
  sent_ = std::min(sent_ + kChunk, bytes_.size());
  return send(message);
}

grpc::Status DownloadCall::send(const v1::DownloadResponse& message) {
  outgoing_.Clear();  // of the message before
  if (!serialize(message, outgoing_)) return not_serialized_status();
  StartWrite(&outgoing_);
  return grpc::Status::OK;
}

// ---- gRPC's events ----

void DownloadCall::OnWriteDone(bool ok) {
  if (!ok) return end(grpc::Status::CANCELLED);
  grpc::Status status;
  try {
    const std::scoped_lock lock(mutex_);
    if (sent_ < bytes_.size()) {
      status = send_chunk();
      if (status.ok()) return;
    }
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  if (!status.ok()) return end(status);
  have_done(&DownloadCall::pack_next);
}

void DownloadCall::end(const grpc::Status& status) {
  if (std::exchange(counted_, false)) downloads_->leave(principal_.get());  // before it can know
  note_refusal(board_, *context_, status, principal_.get());
  Finish(status);
}

void DownloadCall::OnDone() {
  std::shared_ptr<DownloadCall> self;
  const std::scoped_lock lock(mutex_);
  done_ = true;
  late_.Cancel();
  // Not when this is destroyed: the alarm may do that after the server's end.
  what_.reset();
  const MemoryBudget::Hold held = std::move(hold_);
  self = std::move(self_);
}

}  // namespace tocsin::service
