#include "app/check/distance/frame_distances.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "app/check/contact_words.h"
#include "app/check/episode_table.h"
#include "app/cli/progress.h"
#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "detect/step/threads.h"

namespace tocsin::app {
namespace {

/// So many poses are asked about before their answers are handed on. More: memory. Fewer: threads
/// wait for each other more often.
constexpr std::size_t kPosesAtOnce = 512;

using Answer = Result<std::vector<LinkDistance>>;

std::vector<io::FrameDistance> told(const AskedPose& pose, std::vector<LinkDistance> distances) {
  std::sort(distances.begin(), distances.end(), [](const LinkDistance& p, const LinkDistance& q) {
    return std::pair(p.link, p.nearest) < std::pair(q.link, q.nearest);
  });
  std::vector<io::FrameDistance> out;
  out.reserve(distances.size());
  for (const LinkDistance& one : distances) {
    out.push_back({pose.avatar, pose.frame, pose.seconds, one});
  }
  return out;
}

/// How near, or how deep.
std::string distance_cell(double metres) {
  return metres < 0.0 ? fixed(-metres, 4) + " m deep" : fixed(metres, 4) + " m";
}

}  // namespace

std::vector<AskedPose> asked_poses(const Job& job) {
  std::vector<AskedPose> out;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    const StepList& steps = job.takes[i].steps;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const std::array<std::int64_t, 2> frames = steps[k].frames();
      out.push_back({static_cast<int>(i), &steps[k], 0.0, frames[0], steps[k].seconds(0.0)});
      const bool goes_on = k + 1 < steps.size() && steps[k + 1].frames()[0] == frames[1];
      if (goes_on || frames[0] == frames[1]) continue;
      out.push_back({static_cast<int>(i), &steps[k], 1.0, frames[1], steps[k].seconds(1.0)});
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const AskedPose& p, const AskedPose& q) {
    return std::pair(p.frame, p.avatar) < std::pair(q.frame, q.avatar);
  });
  return out;
}

Status find_distances(const Job& job, const Detector& detector, const std::stop_token& stop,
                      const PoseSink& sink) {
  if (!(job.options.nearest > 0.0)) return Nothing{};
  const std::vector<AskedPose> poses = asked_poses(job);
  Progress progress("measuring", static_cast<std::int64_t>(poses.size()));
  detect::Threads threads(job.options.threads);
  for (std::size_t begin = 0; begin < poses.size(); begin += kPosesAtOnce) {
    const auto some = std::span(poses).subspan(begin, std::min(kPosesAtOnce, poses.size() - begin));
    std::vector<std::optional<Answer>> answers(some.size());
    threads.execute([&] {
      detect::for_each(true, some.size(), [&](std::size_t i) {
        const Member& member = job.takes[static_cast<std::size_t>(some[i].avatar)].member;
        answers[i] =
            detector.nearest(member, *some[i].step, some[i].time, job.options.nearest, stop);
      });
    });
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (!*answers[i]) return answers[i]->error();
      if (!sink(some[i], told(some[i], std::move(*answers[i]).value()))) {
        return {ErrorCode::kCancelled, "stopped by the receiver of the distances"};
      }
    }
    progress.show(static_cast<std::int64_t>(begin + some.size()));
  }
  return Nothing{};
}

void LeastDistances::add(std::span<const io::FrameDistance> distances) {
  for (const io::FrameDistance& one : distances) {
    const Pair pair{one.avatar, one.at.link, one.at.nearest.object};
    const auto [entry, is_new] = least_.try_emplace(pair, one);
    if (!is_new && one.at.distance < entry->second.at.distance) entry->second = one;
  }
}

std::vector<io::FrameDistance> LeastDistances::sorted() const {
  std::vector<io::FrameDistance> out;
  for (const auto& [pair, one] : least_) out.push_back(one);
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& p, const auto& q) { return p.at.distance < q.at.distance; });
  return out;
}

std::string render_distances(std::span<const DistanceRow> rows, double within, std::string_view at,
                             std::string_view rest) {
  const std::string near = brief(within) + " m";
  if (rows.empty()) return fmt::format("At no {} is anything within {}.\n", at, near);
  TextTable table({{"Distance", Align::kRight},
                   {fmt::format("At {}", at), Align::kRight},
                   {"Seconds", Align::kRight},
                   {"Link", Align::kLeft, kWidestName},
                   {"Object", Align::kLeft, kWidestName}});
  const std::size_t most = rest.empty() ? rows.size() : std::min(rows.size(), kMostRows);
  for (const DistanceRow& row : rows.first(most)) {
    table.add({distance_cell(row.metres), fmt::format("{}", row.frame),
               fixed(row.seconds, 4) + " s", row.link, row.object});
  }
  std::string out = fmt::format("Within {} at a {}, each pair where it is nearest:\n", near, at);
  out += table.text();
  if (most < rows.size()) {
    out += fmt::format("... and {} more ({})\n",
                       grouped(static_cast<std::int64_t>(rows.size() - most)), rest);
  }
  return out;
}

std::string render_distances(const Job& job, std::span<const io::FrameDistance> least, bool all) {
  const auto has_steps = [](const JobTake& take) { return take.steps.size() > 0; };
  if (std::none_of(job.takes.begin(), job.takes.end(), has_steps)) {
    return "No distance was measured: there is no step, and so no pose. --sampled takes single "
           "frames.\n";
  }
  std::vector<DistanceRow> rows;
  for (const io::FrameDistance& one : least) {
    rows.push_back({one.at.distance, one.frame, one.seconds,
                    link_text(job, one.avatar, one.at.link),
                    object_name(job, one.at.nearest.object)});
  }
  return render_distances(rows, job.options.nearest, job.several() ? "instant" : "frame",
                          all ? "" : "--all shows them");
}

}  // namespace tocsin::app
