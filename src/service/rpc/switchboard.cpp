#include "service/rpc/switchboard.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace tocsin::service {

void OpenStreams::add(const std::shared_ptr<OpenStream>& stream) {
  const std::scoped_lock lock(mutex_);
  streams_.emplace(stream.get(), stream);
}

void OpenStreams::remove(const OpenStream* stream) {
  const std::scoped_lock lock(mutex_);
  streams_.erase(stream);
  if (streams_.empty()) over_.notify_all();
}

void OpenStreams::tell_closing() {
  std::vector<std::shared_ptr<OpenStream>> now;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [key, weak] : streams_) {
      if (std::shared_ptr<OpenStream> stream = weak.lock()) now.push_back(std::move(stream));
    }
  }
  for (const std::shared_ptr<OpenStream>& stream : now) stream->tell_closing();
}

bool OpenStreams::wait_until_over(std::chrono::steady_clock::time_point latest) {
  std::unique_lock lock(mutex_);
  return over_.wait_until(lock, latest, [this] { return streams_.empty(); });
}

std::shared_ptr<const wire::PoseCodec> PoseCodecs::make(const std::shared_ptr<Session>& session,
                                                        const Skeleton& skeleton) {
  const std::vector<std::uint32_t> linked = session->identity().linked_joints();
  auto made = std::make_shared<wire::PoseCodec>(skeleton, linked);
  made->set_tracker(session->identity().tracker);
  std::shared_ptr<const wire::PoseCodec> codec = std::move(made);
  const std::scoped_lock lock(mutex_);
  if (auto last = newest_.lock(); last && last->is_like(*codec)) codec = std::move(last);
  newest_ = codec;
  if (entries_.size() >= next_sweep_) {
    std::erase_if(entries_, [](const auto& entry) { return entry.second.session.expired(); });
    next_sweep_ = std::max<std::size_t>(64, 2 * entries_.size());
  }
  entries_.insert_or_assign(session.get(), Entry{session, codec});
  return codec;
}

std::shared_ptr<const wire::PoseCodec> PoseCodecs::find(const Session& session) {
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(&session);
  // The address may be that of an earlier session.
  if (found == entries_.end() || found->second.session.expired()) return nullptr;
  return found->second.codec;
}

bool CallCounts::enter(const Principal* principal, std::size_t most, std::size_t most_of_one) {
  const std::scoped_lock lock(mutex_);
  const auto found = of_one_.find(principal);
  if (all_ >= most || (found == of_one_.end() ? 0 : found->second) >= most_of_one) return false;
  ++of_one_[principal];
  ++all_;
  return true;
}

void CallCounts::leave(const Principal* principal) {
  const std::scoped_lock lock(mutex_);
  --all_;
  const auto found = of_one_.find(principal);
  if (--found->second == 0) of_one_.erase(found);
}

}  // namespace tocsin::service
