#include "tocsin/stream.h"

#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "detect/backends/detector_core.h"
#include "detect/step/step_in_parts.h"

namespace tocsin {

namespace detail {

/// What a step is checked in. It is large, and nothing of an answer depends on earlier steps.
struct StepMemory {
  detect::MovingLinks links;
  detect::Scratch scratch;
  detect::StepInParts parts;
};

/// At a fixed place, as Coherence refers to its neighbours.
struct StreamState {
  std::shared_ptr<const DetectorCore> core;
  Member member;
  std::optional<detect::Coherence> coherence;
  std::unique_ptr<StepMemory> begun;  ///< of a step that has a rest; null: there is none

  detect::PartsQuestion question(StepMemory& memory) {
    return {member, memory.links, memory.scratch, &*coherence};
  }
};

namespace {

/// The thread's, for the next step of any stream. One for each stream would have left the caches
/// when its next step comes: of a thousand avatars these are 30 MB. It stays as large as the
/// largest step needed, and keeps that stream's avatar alive, until the thread checks another's.
std::unique_ptr<StepMemory>& spare() {
  thread_local std::unique_ptr<StepMemory> memory;
  return memory;
}

/// Takes the thread's. Throws std::bad_alloc.
std::unique_ptr<StepMemory> take_memory() {
  return spare() ? std::move(spare()) : std::make_unique<StepMemory>();
}

/// check(memory), a part of a step: the stream keeps the memory while there is a rest.
template <class Check>
StepReport in_memory(StreamState& stream, std::unique_ptr<StepMemory> memory, const Check& check) {
  StepReport out = check(*memory);
  (memory->parts.has_rest() ? stream.begun : spare()) = std::move(memory);
  return out;
}

/// The same, in the thread's memory, of a step that begins: what was left of another is given up.
template <class Check>
StepReport begin(StreamState& stream, const Step& step, const Check& check) {
  stream.begun.reset();
  try {
    return in_memory(stream, take_memory(), check);
  } catch (const std::bad_alloc&) {
    return detect::report_without_memory(step);
  }
}

}  // namespace
}  // namespace detail

Stream::Stream(const Detector& detector, Member member)
    : state_(std::make_unique<detail::StreamState>()) {
  state_->core = detector.core_;
  state_->member = std::move(member);
  state_->coherence.emplace(state_->core->exact().tree(), state_->core->exact().environment(),
                            state_->member.active, state_->member.avatar.links().size());
}

Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

StepReport Stream::check(const Step& step, const std::stop_token& stop) {
  if (state_->core->asks_ahead(1)) {
    state_->begun.reset();
    return state_->core->check_one(state_->member, step);
  }
  return detail::begin(*state_, step, [&](detail::StepMemory& memory) {
    return state_->core->exact().check(state_->member, step, {memory.links, memory.scratch},
                                       {&*state_->coherence, nullptr, &stop});
  });
}

StepReport Stream::check_within(const Step& step, const StepBudget& budget) {
  if (state_->core->asks_ahead(1)) return check(step);
  return detail::begin(*state_, step, [&](detail::StepMemory& memory) {
    return detect::check_in_parts(state_->core->exact(), state_->question(memory), step, budget,
                                  memory.parts);
  });
}

StepReport Stream::go_on(const StepBudget& budget) {
  if (!has_rest()) {
    StepReport out;
    out.error = Error{ErrorCode::kUsage, "there is no step whose check could go on"};
    return out;
  }
  return detail::in_memory(*state_, std::move(state_->begun), [&](detail::StepMemory& memory) {
    return detect::go_on_in_parts(state_->core->exact(), state_->question(memory), budget,
                                  memory.parts);
  });
}

bool Stream::has_rest() const { return state_->begun != nullptr; }

Stream::Memory Stream::memory() const {
  return {std::as_bytes(std::span(state_.get(), 1)), state_->coherence->memory()};
}

}  // namespace tocsin
