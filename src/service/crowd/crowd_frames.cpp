// Frames of a stream that many sessions share.
#include <fmt/format.h>

#include <span>
#include <type_traits>
#include <utility>

#include "service/crowd/crowd_call.h"
#include "service/rpc/call_support.h"

namespace tocsin::service {
namespace {

/// The slot whose session's memory is asked for while one's frame is taken. More: it may be out of
/// the caches again. Fewer: it is not there yet.
constexpr std::size_t kAhead = 3;

/// The value of a column that has one for all rows or one for each.
template <class Column>
auto at(const Column& column, std::size_t row) {
  return column.Get(column.size() == 1 ? 0 : static_cast<int>(row));
}

template <class Frames>
std::optional<std::string> check_columns(const Frames& frames) {
  const int rows = frames.slots_size();
  for (const int size : {frames.ids_size(), frames.capture_times_size()}) {
    if (size == rows || size == 1) continue;
    return fmt::format("frames of {} slots with {} ids and {} capture times", rows,
                       frames.ids_size(), frames.capture_times_size());
  }
  return std::nullopt;
}

/// Columns of poses, from which each slot's are taken in turn.
template <class Number>
class PoseColumns {
 public:
  PoseColumns(const google::protobuf::RepeatedField<Number>& rotations,
              const google::protobuf::RepeatedField<Number>& translations)
      : rotation_(rotations.data()), translation_(translations.data()) {}

  wire::PoseNumbers<Number> next(std::size_t turned, std::size_t moved) {
    const wire::PoseNumbers<Number> out{{rotation_, 4 * turned}, {translation_, 3 * moved}};
    rotation_ += 4 * turned;
    translation_ += 3 * moved;
    return out;
  }

 private:
  const Number* rotation_;
  const Number* translation_;
};
template <class Number>
PoseColumns(const google::protobuf::RepeatedField<Number>&,
            const google::protobuf::RepeatedField<Number>&) -> PoseColumns<Number>;

}  // namespace

/// Collects the slots of frames. @return what is wrong with the message
std::optional<std::string> CrowdCall::find_targets(
    const google::protobuf::RepeatedField<std::uint32_t>& slots) {
  targets_.clear();
  targets_.reserve(static_cast<std::size_t>(slots.size()));
  due_sessions_.reserve(due_sessions_.size() + targets_.capacity());
  const std::scoped_lock lock(mutex_);
  for (const std::uint32_t number : slots) {
    CrowdSlot* const slot = number < slots_.size() ? slots_[number].get() : nullptr;
    if (slot == nullptr || !slot->stream.codec) return not_open(number);
    const bool takes = slot->state == SlotState::kOpen && !slot->refused && !slot->ending;
    targets_.push_back({slot, takes ? slot->stream.session : nullptr, slot->stream.codec.get()});
  }
  return std::nullopt;
}

/// The form that columns of so many numbers have for these slots. @return what is wrong with them
std::optional<std::string> CrowdCall::find_form(std::size_t rotations, std::size_t translations,
                                                wire::PoseForm& form) const {
  const auto sum = [&](auto count, const wire::PoseForm& of) {
    std::size_t out = 0;
    for (const Target& target : targets_) out += (target.codec->*count)(of);
    return out;
  };
  const auto turned = &wire::PoseCodec::turned;
  const auto moved = &wire::PoseCodec::moved;
  const std::size_t joints = sum(turned, {});
  const std::size_t linked = sum(turned, {false, true});
  form.linked_only = rotations != 4 * joints && rotations == 4 * linked;
  form.roots_only = translations == 3 * sum(moved, {true, form.linked_only});
  const bool fits = (form.linked_only || rotations == 4 * joints) &&
                    (form.roots_only || translations == 3 * sum(moved, form));
  if (fits) return std::nullopt;
  const std::size_t roots = sum(moved, {true, false});
  return fmt::format(
      "{} numbers for rotations and {} for translations; the {} slots' {} joints need {} and {}, "
      "or {} for the {} without a parent alone; the {} that links hang on need {} and {}, or {}",
      rotations, translations, targets_.size(), joints, 4 * joints, 3 * joints, 3 * roots, roots,
      linked, 4 * linked, 3 * linked, 3 * sum(moved, {true, true}));
}

template <class Frames>
std::optional<std::string> CrowdCall::take_any(const Frames& frames, Time received) {
  if (auto problem = check_columns(frames)) return problem;
  if (auto problem = find_targets(frames.slots())) return problem;
  const auto rotations = static_cast<std::size_t>(frames.rotations_size());
  const auto translations = static_cast<std::size_t>(frames.translations_size());
  wire::PoseForm form;
  if (auto problem = find_form(rotations, translations, form)) return problem;
  for (const Target& target : targets_) {
    if (!target.codec->needs_all(form)) continue;
    return fmt::format("slot {}: {}", target.slot->number, wire::PoseCodec::kNeedsAll);
  }
  const auto ahead = static_cast<std::size_t>(frames.ahead_rotations_size());
  const auto ahead_translations = static_cast<std::size_t>(frames.ahead_translations_size());
  const bool as_many = ahead == rotations && ahead_translations == translations;
  if (!as_many && ahead + ahead_translations > 0) {
    return fmt::format(
        "{} numbers for rotations ahead and {} for translations; they are as many as "
        "those of the poses, {} and {}, or left out",
        ahead, ahead_translations, rotations, translations);
  }
  offer(frames, form, received);
  return std::nullopt;
}

template <class Frames>
void CrowdCall::offer(const Frames& frames, const wire::PoseForm& form, Time received) {
  PoseColumns poses(frames.rotations(), frames.translations());
  PoseColumns poses_ahead(frames.ahead_rotations(), frames.ahead_translations());
  const bool has_ahead = frames.ahead_rotations_size() > 0;
  TrackFrame frame;  // the memory of its pose goes from session to session
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    Target& target = targets_[i];
    if (i + kAhead < targets_.size()) {
      Session::prefetch_it(targets_[i + kAhead].session.get());
    }
    // Its session itself has come by now, and says where the rest is.
    if (i + 1 < targets_.size() && targets_[i + 1].session) {
      targets_[i + 1].session->prefetch_behind();
    }
    const wire::PoseCodec& codec = *target.codec;
    const auto pose = poses.next(codec.turned(form), codec.moved(form));
    const auto ahead = has_ahead ? poses_ahead.next(codec.turned(form), codec.moved(form)) : pose;
    if (!target.session) continue;
    frame.ahead.clear();
    frame.id = at(frames.ids(), i);
    frame.capture_time = at(frames.capture_times(), i);
    frame.floats = std::is_same_v<Frames, v1::SlotFramesF>;
    frame.linked_only = form.linked_only;
    codec.take(pose, form, frame.pose);
    if (has_ahead) codec.take(ahead, form, frame.ahead);
    bool due = false;
    auto problem = target.session->offer(target.slot, std::move(frame), received, due);
    if (problem) refuse_slot(target.slot->shared_from_this(), to_status(*problem));
    if (due && !board_.engine->run_here(*target.session, pace_.waited(), &frame.pose)) {
      due_sessions_.push_back(std::move(target.session));
    }
  }
  targets_.clear();
}

std::optional<std::string> CrowdCall::take_frames(const v1::SlotFrames& frames, Time received) {
  return take_any(frames, received);
}
std::optional<std::string> CrowdCall::take_frames(const v1::SlotFramesF& frames, Time received) {
  return take_any(frames, received);
}

}  // namespace tocsin::service
