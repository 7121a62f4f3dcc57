// The stream of a crowd, and the next one.
#include <algorithm>
#include <utility>

#include "client/crowd_stream.h"

namespace tocsin::detail {
namespace {

/// Starts a stream in the end, whatever happens: its end waits for gRPC.
struct Starter {
  CrowdStream* stream;
  ~Starter() {
    if (stream != nullptr) stream->start();
  }
};

}  // namespace

Result<std::shared_ptr<CrowdSession>> LiveCrowdState::begin(const Skeleton& skeleton,
                                                            const TrackHandler& handler,
                                                            const v1::SlotOpening& opening) {
  while (true) {
    bool made = false;
    const std::shared_ptr<CrowdStream> now = stream(made);
    if (!now) return {ErrorCode::kResource, "the crowd is over"};
    // Without a server a stream is over at once. It must tell that to a session: a session that
    // lasts tries again, and takes an error of this function for the last word.
    const Starter starter{made ? now.get() : nullptr};
    auto begun = now->begin(skeleton, handler, opening);
    if (begun || made || !now->is_closed()) return begun;
  }
}

std::shared_ptr<CrowdStream> LiveCrowdState::stream(bool& made) {
  const std::scoped_lock lock(mutex_);
  if (ended_) return nullptr;
  std::erase_if(earlier_, [](const auto& stream) { return stream->is_over(); });
  if (stream_ && !stream_->is_closed()) return stream_;
  if (stream_) earlier_.push_back(std::move(stream_));
  stream_ = CrowdStream::create(connection_, collects_);
  made = true;
  return stream_;
}

void LiveCrowdState::collect() {
  const std::scoped_lock lock(mutex_);
  collects_ = true;
  if (stream_) stream_->collect();
}

void LiveCrowdState::flush() {
  std::shared_ptr<CrowdStream> now;
  {
    const std::scoped_lock lock(mutex_);
    now = stream_;
  }
  if (now) now->flush();
}

void LiveCrowdState::end() {
  std::vector<std::shared_ptr<CrowdStream>> all;
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
    all.swap(earlier_);
    if (stream_) all.push_back(stream_);
  }
  for (const std::shared_ptr<CrowdStream>& stream : all) stream->end();
}

}  // namespace tocsin::detail
