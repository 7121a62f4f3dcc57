#include "app/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "app/check/scene_replay.h"
#include "app/cli/words.h"
#include "app/verify/load_recorded.h"
#include "app/verify/verify_report.h"
#include "app/verify/verify_steps.h"
#include "base/json_text.h"
#include "base/output_file.h"
#include "detect/crowd/name_patterns.h"
#include "io/report/report_reader.h"
#include "tocsin/version.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kCommand = "tocsin verify";
constexpr std::size_t kMostSentences = 10;

/// What was found, as text for standard output, and the status that follows from it.
struct Finding {
  std::string text;
  ExitStatus status = kDone;
};

std::string bullets(const std::vector<std::string>& sentences, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, sentences.size()); ++i) {
    out += fmt::format("  {}\n", base::printable(sentences[i]));
  }
  if (sentences.size() > most) out += fmt::format("  ... and {} more\n", sentences.size() - most);
  return out;
}

Finding report_differences(const io::ReadReport& report,
                           const std::vector<std::string>& sentences) {
  std::string text = "The report differs from what the check says when it is run again:\n" +
                     bullets(sentences, kMostSentences + 1);
  if (report.version != kVersion) {
    text += fmt::format("It was written by Tocsin {}; this is {}.\n",
                        base::printable(report.version), kVersion);
  }
  if (!report.run.options.experiments.certify) {
    text += "It is one of image space: another device may draw pixels on a border otherwise.\n";
  }
  return {text + "Not confirmed.\n", kFound};
}

std::string counted(std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); }

/// What the oracle thinks of the check and of those with grown links.
struct Confirmations {
  Confirmation check;
  Confirmation near;               ///< of --near
  DistanceConfirmation distances;  ///< of --nearest
  /// Steps that were only run again: objects move in them.
  std::size_t unasked = 0;

  [[nodiscard]] std::vector<std::string> refutations() const {
    std::vector<std::string> out = joined(check.refutations, near.refutations);
    out.insert(out.end(), distances.refutations.begin(), distances.refutations.end());
    return out;
  }
  [[nodiscard]] std::vector<std::string> doubts() const {
    return joined(check.doubts, near.doubts);
  }

 private:
  static std::vector<std::string> joined(std::vector<std::string> of_check,
                                         const std::vector<std::string>& of_near) {
    for (const std::string& one : of_near) of_check.push_back("links grown for --near: " + one);
    return of_check;
  }
};

/// "8 contacts, 16 free pairs and 8 clearances".
std::string claims_text(const Confirmation& seen) {
  const auto count = [](std::uint64_t n, std::string_view what) {
    return count_of(static_cast<std::int64_t>(n), what);
  };
  const std::string contacts = count(seen.contacts, "contact");
  const std::string pairs = count(seen.free_pairs, "free pair");
  if (seen.clearances == 0) return fmt::format("{} and {}", contacts, pairs);
  return fmt::format("{}, {} and {}", contacts, pairs, count(seen.clearances, "clearance"));
}

std::string near_fact(const Job& job, const Rerun& rerun, const Confirmation& near) {
  return fact("Near",
              fmt::format("{} within {} m; of links grown by so much {} looked at, {} undecided",
                          count_of(static_cast<std::int64_t>(rerun.near_lines.size()), "pair"),
                          brief(job.options.near), claims_text(near), counted(near.undecided)));
}

std::string distance_fact(const Job& job, const Rerun& rerun, const DistanceConfirmation& seen) {
  const auto count = [](std::uint64_t n, std::string_view what) {
    return count_of(static_cast<std::int64_t>(n), what);
  };
  return fact("Nearest",
              fmt::format("{} of {} within {} m: {} and {} farther looked at, {} undecided",
                          counted(seen.poses), count(rerun.poses.size(), "pose"),
                          brief(job.options.nearest), count(seen.distances, "distance"),
                          count(seen.pairs - seen.distances, "pair"), counted(seen.undecided)));
}

/// `equal`: which lines were compared.
Finding report_confirmation(const Job& job, const Rerun& rerun, std::string_view equal,
                            std::size_t all_moments, const Confirmations& confirmations) {
  const Confirmation& confirmation = confirmations.check;
  std::string text =
      fact("Rerun", fmt::format("{}, {}: {}, hash {}", count_of(rerun.tally.steps, "step"),
                                count_of(rerun.tally.contacts, "contact"), equal, rerun.hash));
  const auto number_of = [](std::size_t n, std::string_view what) {
    return count_of(static_cast<std::int64_t>(n), what);
  };
  std::size_t links = 0;
  for (const JobTake& take : job.takes) links += take.member.avatar.links().size();
  text +=
      fact("Oracle", fmt::format("{} of {}{} x {} x {}: {} looked at, {} undecided",
                                 counted(confirmation.moments), number_of(all_moments, "step"),
                                 job.several() ? " of the time line" : "", number_of(links, "link"),
                                 number_of(job.environment.triangles().size(), "triangle"),
                                 claims_text(confirmation), counted(confirmation.undecided)));
  if (confirmations.unasked > 0) {
    text += fact("", fmt::format("{} in which objects move: run again, and not asked of the oracle",
                                 number_of(confirmations.unasked, "step")));
  }
  if (!rerun.grown.empty()) text += near_fact(job, rerun, confirmations.near);
  if (!rerun.poses.empty()) text += distance_fact(job, rerun, confirmations.distances);
  if (const auto refutations = confirmations.refutations(); !refutations.empty()) {
    return {text + "The second implementation refutes:\n" + bullets(refutations, kMostSentences) +
                "Not confirmed.\n",
            kFound};
  }
  if (const auto doubts = confirmations.doubts(); !doubts.empty()) {
    text += "Too close to call:\n" + bullets(doubts, kMostSentences);
  }
  if (!job.options.experiments.certify) {
    text +=
        "The report is one of image space: only freedom before its times is claimed and was "
        "confirmed.\n";
  }
  if (job.options.sampled) {
    text += "The report is about sampled poses only; nothing between them is claimed.\n";
  }
  return {text + "Confirmed.\n", kDone};
}

/// The claims of an answer of image space: only freedom before the first end of its bracket.
std::vector<RerunStep> claims_of(const Job& job, std::vector<RerunStep> steps) {
  if (job.options.experiments.certify) return steps;
  for (RerunStep& step : steps) {
    for (Contact& contact : step.contacts) contact.toc[1] = 1.0;
  }
  return steps;
}

/// So many of all moments or poses, as the options say.
template <class T>
std::vector<T> sampled(const std::vector<T>& all, const VerifyOptions& options) {
  const double wanted = std::ceil(options.fraction * static_cast<double>(all.size()));
  std::vector<T> out;
  for (const std::size_t i :
       sample_steps(all.size(), static_cast<std::size_t>(wanted), options.seed)) {
    out.push_back(all[i]);
  }
  return out;
}

/// Which pairs of a link and an object of this room are on: of all commands that match a pair, the
/// latest counts. What --ignore matches is off in any case.
Result<ActivePairs> pairs_on(const Avatar& avatar, const Environment& room,
                             const std::vector<SceneEdit>& commands,
                             const std::vector<std::string>& ignore) {
  auto ignored = ActivePairs::ignoring(avatar, room, ignore);
  if (!ignored || commands.empty()) return ignored;
  const auto links = avatar.links();
  const auto objects = room.objects();
  std::vector<bool> off(links.size() * objects.size());
  for (const SceneEdit& command : commands) {
    if (command.pattern.empty()) continue;  // of two objects
    const auto globs = detect::split_pattern(command.pattern, "LINK:OBJECT");
    if (!globs) return globs.error();
    const auto link_on =
        detect::matching(globs->first, links.size(),
                         [&](std::size_t i) -> const std::string& { return links[i].name; });
    const auto object_on =
        detect::matching(globs->second, objects.size(),
                         [&](std::size_t i) -> const std::string& { return objects[i].name; });
    for (std::size_t k = 0; k < off.size(); ++k) {
      if (link_on[k / objects.size()] == 0 || object_on[k % objects.size()] == 0) continue;
      off[k] = command.verb == SceneVerb::kDeactivatePairs;
    }
  }
  return ActivePairs::where(avatar, room, [&](std::int32_t link, std::uint32_t object) {
    return !off[static_cast<std::size_t>(link) * objects.size() + object] &&
           ignored->active(link, object);
  });
}

/// The oracle's questions about one of the rooms of a scene: the steps that were chosen of a run.
Result<Confirmation> confirm_run(const Job& job, const Rerun& rerun, const SceneReplay& replay,
                                 const std::vector<std::size_t>& chosen,
                                 const std::stop_token& stop) {
  std::vector<std::uint32_t> numbers;
  auto room = replay.flat(numbers);
  if (!room) return room.error();
  Job part;
  part.takes.resize(1);
  part.takes[0].member = job.only().member;
  part.options = job.options;
  part.detector = job.detector;
  part.environment = std::move(room).value();
  auto active = pairs_on(part.takes[0].member.avatar, part.environment, replay.pair_commands(),
                         job.options.spec.ignore);
  if (!active) return active.error();
  part.takes[0].member.active = std::move(active).value();
  std::map<std::uint32_t, std::uint32_t> index;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) index.emplace(numbers[i], i);
  std::vector<RerunStep> steps;
  for (const std::size_t at : chosen) {
    steps.push_back(rerun.steps[at]);
    for (Contact& contact : steps.back().contacts) {
      auto* const touched = std::get_if<RoomTriangle>(&contact.touched);
      if (touched != nullptr) touched->object = index.at(touched->object);
    }
  }
  return confirm_moments(part, {job.options.spec.margin, true, true}, steps, moments_of(steps),
                         stop);
}

/// The same of a room that changes, room by room. Steps in which objects move are not asked about.
Result<Confirmations> confirm_scene(const Job& job, const Rerun& rerun,
                                    const VerifyOptions& options, const std::stop_token& stop) {
  Confirmations out;
  const std::vector<Moment> asked = sampled(moments_of(rerun.steps), options);
  std::size_t next = 0;
  SceneReplay replay = replay_of(job);
  while (!replay.done() && next < asked.size()) {
    const auto run = replay.next();
    if (!run) return run.error();
    std::vector<std::size_t> chosen;
    for (; next < asked.size() && asked[next].first < run->first + run->count; ++next) {
      chosen.push_back(asked[next].first);
    }
    if (run->moves) {
      out.unasked += chosen.size();
      continue;
    }
    if (chosen.empty()) continue;
    auto seen = confirm_run(job, rerun, replay, chosen, stop);
    if (!seen) return seen.error();
    out.check += std::move(seen).value();
  }
  return out;
}

/// Asks the oracle about the check that was run again, and about those with grown links.
Result<Confirmations> confirm(const Job& job, const Rerun& rerun, const VerifyOptions& options,
                              const std::stop_token& stop) {
  if (job.scene) return confirm_scene(job, rerun, options, stop);
  const auto ask = [&](const Question& question, const std::vector<RerunStep>& steps) {
    return confirm_moments(job, question, claims_of(job, steps),
                           sampled(moments_of(steps), options), stop);
  };
  Confirmations out;
  auto check = ask({job.options.spec.margin, true, true}, rerun.steps);
  if (!check) return check.error();
  out.check = std::move(check).value();
  for (const GrownRerun& grown : rerun.grown) {
    const bool of_links = grown.check.of_links;
    auto near = ask({grown.check.margin, !of_links, of_links}, grown.steps);
    if (!near) return near.error();
    out.near += std::move(near).value();
  }
  auto distances = confirm_distances(job, sampled(rerun.poses, options), stop);
  if (!distances) return distances.error();
  out.distances = std::move(distances).value();
  return out;
}

Result<Finding> examine(const std::string& file, const VerifyOptions& options,
                        const std::stop_token& stop) {
  const auto report = read_recorded(file);
  if (!report) return report.error();
  // Before the poses, which a session writes first.
  WrittenLines written = report->unfinished ? written_lines(file) : WrittenLines();
  for (const std::string& warning : report->warnings) print_warning(kCommand, warning);
  if (!report->run.options.experiments.certify && report->run.backend != "gl") {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: says that it is one of image space and that {} made it; only gl "
                             "can have",
                             file, base::printable(report->run.backend))};
  }
  const auto job = load_recorded(*report, file, options.threads);
  if (!job) return job.error();
  const auto detector = Detector::make(job->environment, job->detector);
  if (!detector) return as_input_error(detector.error(), file);

  if (report->unfinished) print_warnings(kCommand, job->warnings);

  Finding finding;
  finding.text =
      fmt::format("{}: written by Tocsin {} with {}\n", base::printable(file),
                  base::printable(report->version), base::printable(report->run.backend));
  finding.text += fact(
      "Inputs", fmt::format("{}, the ones that the {} was made from (sha256)",
                            count_of(static_cast<std::int64_t>(report->run.inputs.size()), "input"),
                            report->unfinished ? "record" : "report"));
  const auto rerun = rerun_check(*job, *detector, tells_depths(*report), stop);
  if (!rerun) return rerun.error();
  drop_lines_from(rerun->tally.steps, written);
  const auto different = report->unfinished ? differences(written, *rerun, kMostSentences)
                                            : differences(*report, *rerun, kMostSentences);
  Finding rest;
  if (!different.empty()) {
    rest = report_differences(*report, different);
  } else {
    const auto confirmations = confirm(*job, *rerun, options, stop);
    if (!confirmations) return confirmations.error();
    const std::size_t lines = written.contacts.size() + written.clearances.size();
    std::string equal = "every line equal";
    if (report->unfinished) {
      equal = fmt::format("{} written before equal",
                          count_of(static_cast<std::int64_t>(lines), "line"));
      if (written.beyond > 0)
        equal += fmt::format(", {} of poses that were cut off", written.beyond);
    }
    rest =
        report_confirmation(*job, *rerun, equal, moments_of(rerun->steps).size(), *confirmations);
  }
  return Finding{finding.text + rest.text, rest.status};
}

/// Writes the error to standard error; with several reports, with the report's name.
void print_failure(const Error& error, const std::string& file, std::size_t reports) {
  std::string message = error.message;
  if (error.code == ErrorCode::kCancelled) {
    message = reports == 1 ? "interrupted; nothing was confirmed" : "interrupted; not confirmed";
  }
  const bool named = reports == 1 || message.find(file) != std::string::npos;
  print_error(kCommand, named ? message : fmt::format("{}: {}", file, message));
}

}  // namespace

ExitStatus run_verify(const VerifyOptions& options, const std::stop_token& stop) {
  ExitStatus worst = kDone;  // the higher, the worse
  for (std::size_t i = 0; i < options.reports.size(); ++i) {
    const std::string& file = options.reports[i];
    const auto finding = examine(file, options, stop);
    if (!finding) {
      print_failure(finding.error(), file, options.reports.size());
      worst = std::max(worst, exit_status(finding.error().code));
      if (finding.error().code == ErrorCode::kCancelled || stop.stop_requested()) break;
      continue;
    }
    const std::string begin = i == 0 ? "" : "\n";
    if (const auto shown = base::write_to_standard_output(begin + finding->text); !shown) {
      print_failure(shown.error(), file, 1);
      return kUnfinished;  // the output is closed: the other results would be lost
    }
    worst = std::max(worst, finding->status);
  }
  return worst;
}

}  // namespace tocsin::app
