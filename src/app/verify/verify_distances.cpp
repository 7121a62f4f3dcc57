#include "oracle/shapes/verify_distances.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "app/verify/verify_steps.h"
#include "detect/step/threads.h"

namespace tocsin::app {
namespace {

std::string name_of(const Job& job, const AskedPose& pose) {
  if (!job.several()) return fmt::format("frame {}", pose.frame);
  return fmt::format("instant {}, avatar {}", pose.frame, pose.avatar);
}

}  // namespace

Result<DistanceConfirmation> confirm_distances(const Job& job, std::span<const RerunPose> poses,
                                               const std::stop_token& stop) {
  DistanceConfirmation out;
  if (poses.empty()) return out;
  const oracle::SolidClaims solids(job.environment, job.detector.surfaces);
  const std::vector<oracle::Sphere> spheres = oracle::spheres_of(job.environment);
  std::vector<Member> members;
  for (const JobTake& take : job.takes) members.push_back(take.member);
  const oracle::ShapeTrees trees(members);
  const oracle::DistanceRoom room{job.environment, solids, spheres, trees};
  std::vector<oracle::DistanceVerdict> verdicts(poses.size());
  detect::Threads(job.options.threads).execute([&] {
    detect::for_each(true, poses.size(), [&](std::size_t i) {
      if (stop.stop_requested()) return;
      const AskedPose& pose = poses[i].pose;
      const oracle::DistanceClaim claim{name_of(job, pose),
                                        &members[static_cast<std::size_t>(pose.avatar)],
                                        pose.step,
                                        pose.time,
                                        job.options.spec.margin,
                                        job.options.nearest,
                                        poses[i].distances};
      verdicts[i] = oracle::verify_distances(claim, room);
    });
  });
  if (stop.stop_requested()) return {ErrorCode::kCancelled, "interrupted"};
  out.poses = poses.size();
  for (oracle::DistanceVerdict& verdict : verdicts) {
    out.pairs += verdict.pairs;
    out.distances += verdict.distances;
    out.undecided += verdict.undecided;
    out.refutations.insert(out.refutations.end(),
                           std::make_move_iterator(verdict.refutations.begin()),
                           std::make_move_iterator(verdict.refutations.end()));
  }
  return out;
}

}  // namespace tocsin::app
