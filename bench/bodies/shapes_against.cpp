#include "bodies/shapes_against.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "bodies/shapes_peers.h"
#include "tocsin/crowd.h"

namespace tocsin::bench {
namespace {

/// Of a step. Samples are late by as much as they are apart; below this nobody would notice.
constexpr double kLate = 1e-3;

/// Seconds after which a library is stopped between two steps: some take seconds a step.
constexpr double kPatience = 20.0;
constexpr double kQuickPatience = 1.0;

/// Over a scene, where each is short.
constexpr int kPasses = 5;

/// What is proved of a step.
struct Proof {
  bool touches = false;
  bool free = false;  ///< neither: a graze
  double hi = 0.0;    ///< of the bracket of the touch
};

Proof proof_of(const std::vector<StepReport>& reports) {
  Proof out{.touches = false, .free = true, .hi = 2.0};
  for (const StepReport& report : reports) {
    for (const Contact& contact : report.contacts) {
      out.free = false;
      if (contact.status == ContactStatus::kGraze) continue;
      out.touches = true;
      out.hi = std::min(out.hi, contact.toc[1]);
    }
  }
  return out;
}

/// Runs `check(i)` for each step until the time is over, and again while there is time: the least
/// of all passes counts. Fills the row's times and steps.
template <class Check>
void time_steps(AgainstRow& row, std::size_t steps, double patience, const Check& check) {
  std::vector<double> times;
  double total = 0.0;
  const auto timed = [&](std::size_t i) {
    const double begin = now_us();
    check(i);
    const double time = now_us() - begin;
    total += time;
    return time;
  };
  while (times.size() < steps && total < 1e6 * patience) times.push_back(timed(times.size()));
  for (int pass = 1; pass < kPasses && total < 1e6 * patience / 2; ++pass) {
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = std::min(times[i], timed(i));
  }
  row.steps = times.size();
  row.most = *std::max_element(times.begin(), times.end());
  row.times = figures_of(std::move(times));
}

AgainstRow row_of(const AgainstScene& scene, std::string who) {
  AgainstRow row;
  row.scene = scene.name;
  row.triangles = scene.bodies.shape.features().size();
  row.who = std::move(who);
  return row;
}

AgainstRow own_row(const AgainstScene& scene, const selftest::MeshScene& bodies, double patience,
                   std::vector<Proof>& proofs) {
  const Detector detector = Detector::make(Environment(), {.threads = 1}).value();
  Crowd crowd(detector, bodies.members);
  AgainstRow row = row_of(scene, "Tocsin");
  time_steps(row, bodies.steps.size(), patience, [&](std::size_t i) {
    const Proof proof = proof_of(crowd.check(bodies.steps[i], {.meet = true, .threads = 1}));
    if (i == proofs.size()) proofs.push_back(proof);
  });
  row.touching = static_cast<std::size_t>(
      std::count_if(proofs.begin(), proofs.end(), [](const Proof& p) { return p.touches; }));
  return row;
}

AgainstRow peer_row(const AgainstScene& scene, const selftest::MeshScene& bodies, double patience,
                    const std::vector<Proof>& proofs, Peer& peer) {
  AgainstRow row = row_of(scene, peer.name());
  std::vector<PeerAnswer> answers;
  time_steps(row, proofs.size(), patience, [&](std::size_t i) {
    const PeerAnswer answer = peer.check(bodies.steps[i][0], bodies.steps[i][1]);
    if (i == answers.size()) answers.push_back(answer);
  });
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Proof& proof = proofs[i];
    if (answers[i].touches) ++row.touching;
    if (proof.touches && !answers[i].touches) ++row.missed;
    if (proof.touches && answers[i].touches && answers[i].toc > proof.hi + kLate) ++row.late;
    if (proof.free && answers[i].touches) ++row.untrue;
  }
  return row;
}

}  // namespace

std::vector<AgainstScene> against_scenes(bool quick) {
  const std::size_t steps = quick ? 30 : 600;
  constexpr InBetween kEven = InBetween::kTranslateRotate;
  const auto ball = [&](int rings) {
    return selftest::wavy_ball({quick ? 6 : rings, quick ? 6 : rings, 0.5, 0.1});
  };
  return {
      {"2 fine meshes", {ball(188), 0.85, 1.35, 10, steps, kEven}, false},
      {"2 coarse meshes", {ball(32), 0.85, 1.35, 10, steps, kEven}, false},
      {"2 convex balls",
       {selftest::wavy_ball({6, 10, 0.5, 0.0}), 0.85, 1.35, 10, steps, kEven},
       true},
      {"2 thin blades", {Shape::box({0.5, 0.15, 0.002}).value(), 0.1, 1.1, 50, steps, kEven}, true},
  };
}

std::vector<AgainstRow> compare(const AgainstScene& scene, bool quick) {
  const double patience = quick ? kQuickPatience : kPatience;
  const selftest::MeshScene bodies = selftest::two_bodies(scene.bodies);
  std::vector<Proof> proofs;
  std::vector<AgainstRow> rows{own_row(scene, bodies, patience, proofs)};
  Peers peers = fcl_peers(scene.bodies.shape);
  Peers more = bullet_peers(scene.bodies.shape, scene.convex);
  std::move(more.begin(), more.end(), std::back_inserter(peers));
  for (const auto& peer : peers) {
    rows.push_back(peer_row(scene, bodies, patience, proofs, *peer));
  }
  return rows;
}

std::string text_of(const std::vector<AgainstRow>& rows) {
  std::string out =
      "\nTwo bodies beside other libraries; microseconds a step, one thread, the least of five "
      "passes. Missed: "
      "touches that are\n"
      "proved and not found. Late: found more than 0.001 of the step too late. Untrue: found where "
      "none is.\n\n";
  out += fmt::format("  {:<18}{:>10}  {:<34}{:>7}{:>12}{:>12}{:>12}{:>10}{:>8}{:>6}{:>8}\n",
                     "scene", "triangles", "who", "steps", "mean", "median", "p99", "touching",
                     "missed", "late", "untrue");
  for (const AgainstRow& r : rows) {
    out +=
        fmt::format("  {:<18}{:>10}  {:<34}{:>7}{:>12.1f}{:>12.1f}{:>12.1f}{:>10}{:>8}{:>6}{:>8}\n",
                    r.scene, r.triangles, r.who, r.steps, r.times.mean, r.times.median, r.times.p99,
                    r.touching, r.missed, r.late, r.untrue);
  }
  if (std::all_of(rows.begin(), rows.end(),
                  [](const AgainstRow& r) { return r.who == "Tocsin"; })) {
    out += "\nFCL and Bullet were not there when this was compiled (libfcl-dev, libbullet-dev).\n";
  }
  return out;
}

nlohmann::ordered_json json_of(const std::vector<AgainstRow>& rows) {
  auto out = nlohmann::ordered_json::array();
  for (const AgainstRow& r : rows) {
    out.push_back({{"scene", r.scene},
                   {"triangles", r.triangles},
                   {"who", r.who},
                   {"steps", r.steps},
                   {"mean_us", r.times.mean},
                   {"median_us", r.times.median},
                   {"p99_us", r.times.p99},
                   {"most_us", r.most},
                   {"touching", r.touching},
                   {"missed", r.missed},
                   {"late", r.late},
                   {"untrue", r.untrue}});
  }
  return out;
}

}  // namespace tocsin::bench
