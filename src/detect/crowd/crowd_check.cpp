#include "detect/crowd/crowd_check.h"

#include <new>
#include <utility>

#include "detect/step/step_in_parts.h"
#include "detect/step/threads.h"

namespace tocsin::detect {

namespace {

/// A skeleton's joints without a parent.
std::vector<std::int32_t> roots_of(const Skeleton& skeleton) {
  std::vector<std::int32_t> out;
  const std::span<const Joint> joints = skeleton.joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0) out.push_back(static_cast<std::int32_t>(j));
  }
  return out;
}

}  // namespace

CrowdCheck::CrowdCheck(const detail::DetectorCore& core, std::span<const Member> members,
                       bool remembers)
    : core_(core), members_(members), remembers_(remembers), meeting_(remembers) {}

void CrowdCheck::prepare_members() {
  if (links_.size() == members_.size()) return;
  std::vector<std::vector<std::int32_t>> roots;
  std::vector<Coherence> coherence;
  roots.reserve(members_.size());
  for (const Member& member : members_) roots.push_back(roots_of(member.avatar.skeleton()));
  if (remembers_) coherence.reserve(members_.size());
  for (std::size_t i = 0; remembers_ && i < members_.size(); ++i) {
    coherence.emplace_back(core_.exact().tree(), core_.exact().environment(), members_[i].active,
                           members_[i].avatar.links().size());
  }
  std::vector<MovingLinks> links(members_.size());
  roots_ = std::move(roots);
  coherence_ = std::move(coherence);
  links_ = std::move(links);
}

void CrowdCheck::check(std::span<const Presence> present, const CrowdOptions& options,
                       std::span<StepReport> reports) {
  if (options.contacts_are_known && !core_.options().clearance) return;
  try {
    prepare_members();
    check_rooms(present, options, reports);
    if (!options.contacts_are_known) {
      for (std::size_t i = 0; i < present.size(); ++i)
        set_avatar(reports[i], static_cast<std::int32_t>(present[i].member));
    }
    if (!options.meet || present.size() < 2 || options.stop.stop_requested()) return;
    guests_.clear();
    for (std::size_t i = 0; i < present.size(); ++i) {
      if (reports[i].error) continue;
      guests_.push_back({reports[i].avatar, &links_[present[i].member], &reports[i]});
    }
    if (options.contacts_are_known) {
      meeting_.add_clearances(guests_, core_.options(), options.parallel, options.stop);
    } else {
      meeting_.hold(guests_, core_.options(), {options.parallel, options.stop, options.budget});
    }
  } catch (const std::bad_alloc&) {
    meeting_.forget();  // whose lists are sorted may lack what the sorting found
    for (std::size_t i = 0; i < present.size(); ++i) {
      reports[i] = report_of(
          *present[i].step,
          Error{ErrorCode::kResource, "out of memory while several avatars were checked together"});
      set_avatar(reports[i], static_cast<std::int32_t>(present[i].member));
    }
  }
}

core::Box CrowdCheck::refs_of(std::span<const Presence> present) const {
  core::Box out;
  for (const Presence& p : present) {
    const std::span<const Transform> pose = p.step->pose0();
    for (const std::int32_t root : roots_[p.member]) {
      const auto j = static_cast<std::size_t>(root);
      if (j >= pose.size()) continue;  // a step of another skeleton: its report is an error
      out = join(out, core::grown_box(pose[j].translation, pose[j].translation, 0.0));
    }
  }
  return out;
}

void CrowdCheck::check_rooms(std::span<const Presence> present, const CrowdOptions& options,
                             std::span<StepReport> reports) {
  if (options.room_is_known && !options.meet) return;
  const core::Box refs = options.meet ? refs_of(present) : core::Box{};
  for_each(options.parallel, present.size(), [&](std::size_t i) {
    if (!options.stop.stop_requested()) check_room(present[i], refs, options, reports[i]);
  });
}

void CrowdCheck::check_room(const Presence& present, const core::Box& refs,
                            const CrowdOptions& options, StepReport& report) {
  const Member& member = members_[present.member];
  MovingLinks& links = links_[present.member];
  if (!options.room_is_known) {
    thread_local Scratch scratch;
    Coherence* const coherence = coherence_.empty() ? nullptr : &coherence_[present.member];
    if (options.budget != nullptr) {
      thread_local StepInParts parts;
      const PartsQuestion question{member, links, scratch, coherence, &refs};
      report = check_in_parts(core_.exact(), question, *present.step, *options.budget, parts);
      return;
    }
    const Known known{coherence, nullptr, nullptr, &refs};
    report = core_.exact().check(member, *present.step, {links, scratch}, known);
  } else if (!report.error) {
    links.begin(member.avatar, *present.step, core_.options().margin, core_.exact().tree().bounds(),
                &refs);
  }
}

}  // namespace tocsin::detect
