#include "app/check/distance/near_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

#include "app/check/contact_words.h"
#include "app/check/distance/episode_depths.h"
#include "app/check/episode_table.h"
#include "app/cli/text_table.h"
#include "app/cli/words.h"

namespace tocsin::app {
namespace {

using NearKey = std::tuple<int, std::int32_t, Touched>;

NearKey key_of(const io::Episode& episode) {
  return {episode.avatar, episode.first.link, episode.first.party()};
}

Result<std::vector<io::Episode>> episodes_of(const Job& job, const Detector& detector,
                                             bool of_links, const std::stop_token& stop,
                                             const GrownSink& seen) {
  io::EpisodeTracker tracker;
  const GrownCheck check{of_links, detector.options().margin};
  const auto sink = [&](const Step& step, const StepReport& report) {
    tracker.add(step, report);
    if (seen) seen(check, step, report);
    return true;
  };
  if (auto ran = run_job(job, detector, stop, sink); !ran) return ran.error();
  return tracker.sorted();
}

/// What the finding of near pairs knows.
class NearFinder {
 public:
  NearFinder(const Job& job, const Detector& detector, std::span<const io::Episode> touched,
             const std::stop_token& stop, const GrownSink& seen)
      : job_(job), detector_(detector), stop_(stop), seen_(seen) {
    for (const io::Episode& one : touched) touched_.insert(key_of(one));
  }

  /// Adds what comes near: objects, or links.
  Status find(bool of_links) {
    const double near = job_.options.near;
    DetectorOptions options = detector_.options();
    options.margin += of_links ? 0.5 * near : near;
    options.clearance = false;
    const auto wide = detector_.with_options(options);
    if (!wide) return wide.error();
    auto episodes = episodes_of(job_, *wide, of_links, stop_, seen_);
    if (!episodes) return episodes.error();
    std::erase_if(*episodes, [&](const io::Episode& one) {
      return (one.first.other() != nullptr) != of_links || touched_.contains(key_of(one));
    });
    if (auto done = add_depths(job_, *wide, stop_, *episodes); !done) return done;
    for (const io::Episode& one : *episodes) add(one);
    return Nothing{};
  }

  [[nodiscard]] std::vector<io::NearPair> sorted() const {
    std::vector<io::NearPair> out;
    for (const auto& [key, pair] : nearest_) out.push_back(pair);
    std::stable_sort(out.begin(), out.end(), [](const io::NearPair& a, const io::NearPair& b) {
      return a.metres < b.metres;
    });
    return out;
  }

 private:
  void add(const io::Episode& episode) {
    const io::Deepest& deepest = *episode.deepest;
    // The grown links are so deep in each other as they are nearer than `near`.
    const double metres = std::max(0.0, job_.options.near - deepest.depth);
    const io::NearPair pair{episode.avatar, episode.first.link, episode.first.party(),
                            deepest.frames, deepest.seconds,    metres};
    const auto [entry, is_new] = nearest_.try_emplace(key_of(episode), pair);
    if (pair.metres < entry->second.metres) entry->second = pair;
  }

  const Job& job_;
  const Detector& detector_;
  const std::stop_token& stop_;
  const GrownSink& seen_;
  std::set<NearKey> touched_;
  std::map<NearKey, io::NearPair> nearest_;
};

}  // namespace

Result<std::vector<io::NearPair>> find_near(const Job& job, const Detector& detector,
                                            std::span<const io::Episode> touched,
                                            const std::stop_token& stop, const GrownSink& seen) {
  if (!(job.options.near > 0.0)) return std::vector<io::NearPair>();
  NearFinder finder(job, detector, touched, stop, seen);
  if (auto found = finder.find(/*of_links=*/false); !found) return found.error();
  if (job.pairs_links()) {
    if (auto found = finder.find(/*of_links=*/true); !found) return found.error();
  }
  return finder.sorted();
}

Result<std::vector<io::NearPair>> find_near(const Job& job, const Detector& detector,
                                            std::span<const io::Episode> touched,
                                            const std::stop_token& stop) {
  return find_near(job, detector, touched, stop, {});
}

std::string render_near(const Job& job, std::span<const io::NearPair> pairs, bool all) {
  const std::string within = brief(job.options.near) + " m";
  const bool proved = !job.options.sampled;
  if (pairs.empty()) {
    return fmt::format("Nothing else comes within {}{}.\n", within,
                       proved ? ", proved for every moment" : " at a sampled pose");
  }
  const int widest = job.pairs_links() ? kWidestListedName : kWidestName;
  TextTable table({{"Distance", Align::kRight},
                   {job.several() ? "At instant" : "At frame", Align::kRight},
                   {"Seconds", Align::kRight},
                   {"Link", Align::kLeft, widest},
                   {job.pairs_links() ? "Object or link" : "Object", Align::kLeft, widest}});
  const std::size_t most = all ? pairs.size() : std::min(pairs.size(), kMostRows);
  for (const io::NearPair& one : pairs.first(most)) {
    Contact contact;
    contact.touched = one.thing;
    table.add({fixed(one.metres, 4) + " m", span_cell(one.frames), fixed(one.seconds, 4) + " s",
               link_text(job, one.avatar, one.link), touched_text(job, one.avatar, contact)});
  }
  std::string out = fmt::format("Never touching, and within {} at some time:\n", within);
  out += table.text();
  if (most < pairs.size()) {
    out += fmt::format("... and {} more (--all shows them)\n",
                       grouped(static_cast<std::int64_t>(pairs.size() - most)));
  }
  return out;
}

}  // namespace tocsin::app
