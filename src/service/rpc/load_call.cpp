#include "service/rpc/load_call.h"

#include <fmt/format.h>
#include <grpcpp/impl/codegen/proto_utils.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "service/rpc/call_support.h"
#include "wire/values.h"

namespace tocsin::service {

LoadCall::LoadCall(Switchboard& board, grpc::CallbackServerContext* context,
                   grpc::ByteBuffer* response)
    : board_(board), context_(context), loads_(board.loads), response_(response) {}

LoadCall::~LoadCall() {
  if (counted_) loads_->leave(principal_.get());
}

grpc::ServerReadReactor<grpc::ByteBuffer>* LoadCall::start(Switchboard& board,
                                                           grpc::CallbackServerContext* context,
                                                           grpc::ByteBuffer* response) {
  const std::shared_ptr<LoadCall> call(new LoadCall(board, context, response));
  call->self_ = call;
  const grpc::Status status = call->enter();
  if (status.ok()) {
    call->begin();
  } else {
    call->finish(status);
  }
  return call.get();
}

grpc::Status LoadCall::enter() {
  grpc::Status refusal;
  principal_ = admit(*context_, board_, refusal);
  if (!principal_) return refusal;
  if (!principal_->limits.may_load) {
    return {grpc::StatusCode::PERMISSION_DENIED, "you may not load environments"};
  }
  const std::size_t own = principal_->limits.uploads;
  request_.emplace(board_.engine->rooms(), *principal_, board_.memory, board_.engine->records());
  counted_ = loads_->enter(principal_.get(), kMostLoads, own);
  if (counted_) return grpc::Status::OK;
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          fmt::format("too many environments are being loaded ({} at once, {} of them one's own)",
                      kMostLoads, own)};
}

void LoadCall::begin() {
  const std::scoped_lock lock(mutex_);
  began_ = heard_ = std::chrono::steady_clock::now();
  watch();
  StartRead(&incoming_);
}

/// Under the mutex.
void LoadCall::watch() {
  alarm_ = std::make_unique<grpc::Alarm>();
  alarm_->Set(std::chrono::system_clock::now() + kUploadSilence / 4,
              [weak = weak_from_this()](bool due) {
                if (const auto call = due ? weak.lock() : nullptr) call->check_deadlines();
              });
}

void LoadCall::check_deadlines() {
  const auto now = std::chrono::steady_clock::now();
  {
    const std::scoped_lock lock(mutex_);
    if (finished_ || through_) return;
    // While a chore stores a message, no other can arrive.
    if (now - began_ < kUploadTimeout && (at_work_ || now - heard_ < kUploadSilence))
      return watch();
  }
  grpc::Status status = out_of_memory_status();
  try {
    status = {grpc::StatusCode::DEADLINE_EXCEEDED,
              fmt::format("the upload was not through in {} minutes, or nothing came for {} s",
                          kUploadTimeout.count(), kUploadSilence.count())};
  } catch (const std::bad_alloc&) {
  }
  finish(status);
}

void LoadCall::finish(const grpc::Status& status) {
  const std::scoped_lock lock(mutex_);
  if (finished_) return;
  finished_ = true;
  if (!at_work_) leave();
  note_refusal(board_, *context_, status, principal_.get());
  Finish(status);
}

/// Call under the mutex, before the client gets the end: it may start its next load at once.
void LoadCall::leave() {
  if (!counted_) return;
  counted_ = false;
  request_->remove_upload();
  loads_->leave(principal_.get());
}

void LoadCall::have_done(WorkerPool::Lane lane, Work work) {
  try {
    {
      const std::scoped_lock lock(mutex_);
      at_work_ = true;
    }
    board_.chores.submit(lane, [self = shared_from_this(), work] { (self.get()->*work)(); });
  } catch (const std::bad_alloc&) {
    if (work_is_done()) finish(out_of_memory_status());
  }
}

/// False: the call has ended meanwhile.
bool LoadCall::work_is_done() {
  const std::scoped_lock lock(mutex_);
  at_work_ = false;
  if (finished_) leave();
  return !finished_;
}

// ---- gRPC's events ----

void LoadCall::OnReadDone(bool ok) {
  if (ok) {
    {
      const std::scoped_lock lock(mutex_);
      heard_ = std::chrono::steady_clock::now();
    }
    return have_done(WorkerPool::Lane::kInteractive, &LoadCall::store);
  }
  // No more messages: the client has closed its side, or the connection was lost. If headers can
  // still be sent, the client has closed its side.
  const std::scoped_lock lock(mutex_);
  if (!finished_) StartSendInitialMetadata();
}

void LoadCall::OnSendInitialMetadataDone(bool ok) {
  if (!ok || context_->IsCancelled()) return finish(grpc::Status::CANCELLED);
  {
    const std::scoped_lock lock(mutex_);
    through_ = true;
    if (alarm_) alarm_->Cancel();
  }
  have_done(WorkerPool::Lane::kSlow, &LoadCall::load);
}

void LoadCall::OnCancel() { finish(grpc::Status::CANCELLED); }

void LoadCall::OnDone() {
  std::shared_ptr<LoadCall> self;
  const std::scoped_lock lock(mutex_);
  if (alarm_) alarm_->Cancel();
  self = std::move(self_);
}

// ---- Storing, by a chore ----

void LoadCall::store() {
  grpc::Status status;
  try {
    status = request_->take(incoming_);
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  if (!work_is_done()) return;
  if (!status.ok()) return finish(status);
  const std::scoped_lock lock(mutex_);
  if (!finished_) StartRead(&incoming_);
}

// ---- Building, by a chore ----

void LoadCall::load() {
  {
    const std::scoped_lock lock(mutex_);
    if (finished_) return leave();
  }
  EnvironmentInfo room;
  std::vector<std::string> warnings;
  grpc::Status status;
  try {
    status = request_->load(room, warnings);
    if (status.ok() && answer(room, warnings)) return;
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  const bool waits = work_is_done();
  if (!room.name.empty() && !request_->replaces()) {
    // The client will never know of the room, so it is unloaded again. (One that has replaced
    // another stays: the client would have none.)
    const auto unloaded = board_.engine->rooms().unload(*principal_, room.name);
    static_cast<void>(unloaded);
  }
  if (waits) finish(status.ok() ? not_serialized_status() : status);
}

/// False: the client got no answer.
bool LoadCall::answer(const EnvironmentInfo& room, const std::vector<std::string>& warnings) {
  v1::LoadEnvironmentResponse message;
  wire::to_wire(room, *message.mutable_environment());
  for (const std::string& warning : warnings) message.add_warnings(shown(warning));
  const std::scoped_lock lock(mutex_);
  if (finished_ || !serialize(message, *response_)) return false;
  finished_ = true;
  at_work_ = false;
  leave();
  Finish(grpc::Status::OK);
  return true;
}

}  // namespace tocsin::service
