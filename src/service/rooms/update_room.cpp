// Changes of rooms: who may make them, and within which limits.
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/quoted.h"
#include "service/rooms/environments.h"

namespace tocsin::service {
namespace {

Problem problem_of_change(const Error& error) {
  switch (error.code) {
    case ErrorCode::kUnavailable:
      return {Refusal::kNotNow, error.message};
    case ErrorCode::kResource:
      return {Refusal::kOverloaded, error.message};
    default:
      return {Refusal::kInvalid, error.message};
  }
}

}  // namespace

std::shared_ptr<const Room> Environments::own_room(const Principal& principal,
                                                   const std::string& name,
                                                   Problem& problem) const {
  const std::scoped_lock lock(mutex_);
  const auto own = rooms_.find(Key(principal.name, name));
  if (own != rooms_.end() && own->second->shape.empty()) return own->second;
  if (rooms_.contains(Key({}, name))) {
    problem = {Refusal::kForbidden, fmt::format("the room {} is the server's own", name)};
  } else if (visible_to(principal, false).contains(name)) {
    problem = {Refusal::kForbidden, fmt::format("only who loaded {} may change it", name)};
  } else {
    problem = {Refusal::kNotFound, fmt::format("you have no room {}", base::in_quotes(name))};
  }
  return nullptr;
}

/// The shapes of the server that edits name, and what they take.
std::optional<Problem> Environments::take_shapes(const Principal& principal,
                                                 std::vector<SceneEdit>& edits,
                                                 MemoryBudget* memory,
                                                 std::vector<MemoryBudget::Hold>& holds) const {
  for (SceneEdit& edit : edits) {
    if (!edit.loaded.empty()) {
      std::string problem;
      const auto found = find_shape(principal, edit.loaded, problem);
      if (!found) return Problem{Refusal::kNotFound, std::move(problem)};
      edit.shape = found->shape;
      edit.loaded.clear();
    }
    const std::uint64_t triangles = edit.shape.features().size() + edit.vertices.size();
    if (memory == nullptr || triangles == 0) continue;
    auto hold = memory->take(triangles * kShapeMemory);
    if (!hold) {
      return Problem{Refusal::kOverloaded,
                     "the server has no memory left for the change (--memory)"};
    }
    holds.push_back(std::move(*hold));
  }
  return std::nullopt;
}

std::optional<Problem> Environments::update(const Principal& principal, const std::string& name,
                                            SceneChange& change,
                                            std::optional<std::uint64_t> expected,
                                            MemoryBudget* memory, EnvironmentInfo& out) {
  const std::string who = base::in_quotes(principal.name);
  if (!principal.limits.may_change) {
    return Problem{Refusal::kForbidden, fmt::format("{} may not change rooms (may_change)", who)};
  }
  Problem problem;
  const auto room = own_room(principal, name, problem);
  if (!room) return problem;
  if (!room->scene) {
    return Problem{Refusal::kNotNow,
                   fmt::format("the room {} was not loaded to be changed (changeable)", name)};
  }
  const double rate = principal.limits.changes_per_second;
  if (!principal.used->changes.take(1, rate, std::chrono::steady_clock::now())) {
    return Problem{
        Refusal::kOverloaded,
        fmt::format("more than {} changes a second of all rooms of {} (changes_per_second)", rate,
                    who)};
  }
  std::vector<MemoryBudget::Hold> holds;
  if (auto found = take_shapes(principal, change.edits, memory, holds)) return found;
  const auto version = room->scene->apply(std::move(change.edits), expected);
  if (!version) return problem_of_change(version.error());
  change.version = version.value();
  out = room->info();
  return std::nullopt;
}

}  // namespace tocsin::service
