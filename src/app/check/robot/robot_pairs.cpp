#include "app/check/robot/robot_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/words.h"
#include "detect/crowd/rest_overlaps.h"
#include "io/robot/srdf.h"
#include "io/robot/urdf.h"

namespace tocsin::app {
namespace {

std::set<std::string> names_of_objects(const Job& job) {
  std::set<std::string> out;
  for (const Object& object : job.environment.objects()) out.insert(object.name);
  return out;
}

/// Switches off pairs of one take.
class PairsOff {
 public:
  PairsOff(Job& job, JobTake& take) : job_(job), take_(take), objects_(names_of_objects(job)) {}

  /// How many of the pairs were on and are off now.
  Result<std::size_t> leave_out(const std::vector<io::LinkPair>& pairs) {
    std::vector<detect::RestOverlap> active;
    for (const auto& [first, second] : pairs) {
      if (take_.member.self.active(first, second)) active.push_back({first, second, 0.0});
    }
    std::vector<std::string>& patterns = job_.options.spec.ignore;
    for (std::string& pattern : detect::rest_patterns(take_.member.avatar, active, objects_)) {
      const bool known = std::find(patterns.begin(), patterns.end(), pattern) != patterns.end();
      if (!known) patterns.push_back(std::move(pattern));
    }
    const std::size_t before = take_.member.self.size();
    auto left = LinkPairs::ignoring(take_.member.avatar, patterns);
    if (!left) return left.error();
    take_.member.self = std::move(left).value();
    const std::size_t off = before - take_.member.self.size();
    if (off < active.size()) {
      job_.warnings.push_back(fmt::format(
          "--self: {} of {} not left out: objects of the room have the names of both links",
          count_of(static_cast<std::int64_t>(active.size() - off), "pair", "pairs"), take_.file));
    }
    return off;
  }

 private:
  Job& job_;
  JobTake& take_;
  std::set<std::string> objects_;
};

std::string pairs_text(std::size_t count) {
  return count_of(static_cast<std::int64_t>(count), "pair of links", "pairs of links");
}

/// The SRDF of a take; empty: none.
std::string srdf_of(const Take& take) {
  if (take.srdf == "none") return {};
  if (!take.srdf.empty() && take.srdf != "auto") return take.srdf;
  return io::srdf_beside(take.avatar.model).string();
}

Status leave_out_of(Job& job, JobTake& take, const Take& asked) {
  const auto robot = io::read_robot(asked.avatar.model, "avatar", nullptr);
  if (!robot) return robot.error();
  const Avatar& avatar = take.member.avatar;
  PairsOff pairs(job, take);
  if (io::is_robot_of(*robot, avatar.skeleton())) {
    const auto rigid = pairs.leave_out(io::rigid_pairs(*robot, avatar));
    if (!rigid) return rigid.error();
    if (*rigid > 0) take.robot_pairs = pairs_text(*rigid) + " left out that no joint moves apart";
  }
  const std::string file = srdf_of(asked);
  if (file.empty()) return Nothing{};
  const auto srdf = io::read_srdf(file);
  if (!srdf) return srdf.error();
  const io::DisabledPairs disabled = io::disabled_pairs(*srdf, avatar);
  const auto off = pairs.leave_out(disabled.pairs);
  if (!off) return off.error();
  take.robot_pairs += fmt::format("{}{} left out that {} disables",
                                  take.robot_pairs.empty() ? "" : "; ", pairs_text(*off), file);
  if (!disabled.unknown.empty()) {
    job.warnings.push_back(io::unknown_links(disabled, *srdf, asked.avatar.model));
  }
  return Nothing{};
}

/// A report has one list of patterns for all avatars: none may leave out pairs of another one.
Status check_patterns(const Job& job) {
  for (const JobTake& take : job.takes) {
    const auto all = LinkPairs::ignoring(take.member.avatar, job.options.spec.ignore);
    if (!all) return all.error();
    if (all->size() == take.member.self.size()) continue;
    return Error{
        ErrorCode::kUsage,
        fmt::format("--self: {}: has links that are called like those of a robot beside it, which "
                    "has pairs left out: check them apart, or name the links differently",
                    take.file)};
  }
  return Nothing{};
}

}  // namespace

Status ignore_robot_pairs(Job& job, const CheckOptions& options) {
  if (!options.spec.self || options.resolved) return Nothing{};
  bool any = false;
  for (std::size_t i = 0; i < options.takes.size(); ++i) {
    if (!io::is_urdf(options.takes[i].avatar.model)) continue;
    any = true;
    if (auto done = leave_out_of(job, job.takes[i], options.takes[i]); !done) return done;
  }
  return any ? check_patterns(job) : Status(Nothing{});
}

}  // namespace tocsin::app
