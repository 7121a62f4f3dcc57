#include "app/verify/verify_steps.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <span>
#include <utility>

#include "app/cli/progress.h"
#include "oracle/shapes/shape_trees.h"
#include "oracle/solid_claims.h"
#include "oracle/verify_meeting.h"

namespace tocsin::app {
namespace {

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same on every machine.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// The job's avatars with the pairs that are asked about.
std::vector<Member> members_of(const Job& job, const Question& question) {
  std::vector<Member> out;
  for (const JobTake& take : job.takes) {
    Member member = take.member;
    if (!question.objects) member.active = {};
    if (!question.links) member.self = {};
    out.push_back(std::move(member));
  }
  return out;
}

std::vector<Contact> asked_about(const std::vector<Contact>& contacts, const Question& question) {
  std::vector<Contact> out;
  for (const Contact& one : contacts) {
    if (one.other() == nullptr ? question.objects : question.links) out.push_back(one);
  }
  return out;
}

void append(std::vector<std::string>& to, std::vector<std::string>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

Confirmation& Confirmation::operator+=(Confirmation other) {
  moments += other.moments;
  contacts += other.contacts;
  free_pairs += other.free_pairs;
  clearances += other.clearances;
  undecided += other.undecided;
  append(refutations, std::move(other.refutations));
  append(doubts, std::move(other.doubts));
  return *this;
}

std::vector<std::size_t> sample_steps(std::size_t total, std::size_t count, std::uint64_t seed) {
  // Knuth's selection sampling: each left is taken with the share still needed.
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < total && out.size() < count; ++i) {
    const std::uint64_t left = total - i;
    if (next_random(seed) % left < count - out.size()) out.push_back(i);
  }
  return out;
}

std::vector<Moment> moments_of(const std::vector<RerunStep>& steps) {
  std::vector<Moment> out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // The next avatar's step of the same index; of one avatar two steps may have one index.
    const bool same = i > 0 && steps[i].avatar > steps[i - 1].avatar &&
                      steps[i].step->index() == steps[i - 1].step->index();
    if (!same) out.push_back({i, 0});
    ++out.back().count;
  }
  return out;
}

Result<Confirmation> confirm_moments(const Job& job, const Question& question,
                                     const std::vector<RerunStep>& steps,
                                     const std::vector<Moment>& moments,
                                     const std::stop_token& stop) {
  const Environment room = question.objects ? job.environment : Environment();
  const oracle::SolidClaims solids(room, job.detector.surfaces);
  oracle::MeetingOptions options;
  options.margin = question.margin;
  options.contacts_first = job.options.spec.contacts == Contacts::kFirst;
  options.meet = question.links && job.several();
  options.solids = &solids;
  const std::vector<Member> members = members_of(job, question);
  const oracle::ShapeTrees trees(members);
  options.trees = &trees;
  const auto ask = [&](const Moment& moment) {
    const auto asked = std::span(steps).subspan(moment.first, moment.count);
    std::vector<std::vector<Contact>> contacts;
    for (const RerunStep& step : asked) contacts.push_back(asked_about(step.contacts, question));
    std::vector<oracle::MemberClaim> claims;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto avatar = static_cast<std::size_t>(asked[i].avatar);
      oracle::MemberClaim claim{asked[i].avatar, &members[avatar], asked[i].step, contacts[i]};
      // They are about objects and links.
      if (question.objects && question.links) claim.clearances = asked[i].clearances;
      claims.push_back(claim);
    }
    return oracle::verify_meeting(claims, room, options);
  };

  std::vector<oracle::StepVerdict> verdicts(moments.size());
  Progress progress("confirming", static_cast<std::int64_t>(moments.size()));
  std::mutex progress_mutex;
  tbb::task_arena arena(job.options.threads);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, moments.size(), [&](std::size_t i) {
      if (stop.stop_requested()) return;
      verdicts[i] = ask(moments[i]);
      const std::lock_guard lock(progress_mutex);
      progress.step();
    });
  });
  if (stop.stop_requested()) return {ErrorCode::kCancelled, "interrupted"};

  Confirmation out;
  out.moments = moments.size();
  for (oracle::StepVerdict& verdict : verdicts) {
    const std::uint64_t pairs = verdict.pairs + verdict.link_pairs;
    out.contacts += verdict.contacts;
    out.free_pairs += pairs - std::min(pairs, verdict.contacts);
    out.clearances += verdict.clearances;
    out.undecided += verdict.undecided;
    append(out.refutations, std::move(verdict.refutations));
    append(out.doubts, std::move(verdict.doubts));
  }
  return out;
}

}  // namespace tocsin::app
