// bench_trees: what culling costs by k, children a node, SIMD target and rule of construction.
// docs/trees.md says what was chosen by it. Every choice must give the same contacts.
#include <fmt/format.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cpu/tree/make_tree_culler.h"
#include "detect/step/exact_step.h"
#include "papers/paper_trees.h"
#include "scene/swept/step_motion.h"
#include "shared/files.h"
#include "shared/inputs.h"
#include "shared/options.h"
#include "shared/timing.h"

namespace tocsin::bench {
namespace {

/// Steps that are timed together; a reading of the clock (some 300 ns) is small beside them.
constexpr std::size_t kBatch = 16;

/// Links of a step that culling is asked about, made beforehand: what is timed is trees alone.
struct SweptStep {
  core::Box whole;
  std::vector<core::Box> coarse;
  scene::StepMotion motion;
};

/// A tree and the SIMD target that it is walked with.
struct Choice {
  papers::TreeChoice tree;
  std::int64_t target = 0;  ///< a bit of HWY_TARGETS
  std::string rule;         ///< of construction, in words
};

/// What a choice cost on one case.
struct Row {
  const Choice* choice = nullptr;
  double build_seconds = 0.0;
  Figures culling;            ///< microseconds a step, along the take
  double volume_tests = 0.0;  ///< per step: Nv
  double primitive_tests = 0.0;
  double updates = 0.0;     ///< Nu
  double candidates = 0.0;  ///< Np
  bool same = true;         ///< its reports are those of the first choice, bit for bit
};

struct CaseRows {
  const Case* which = nullptr;
  std::vector<Row> rows;
};

std::vector<SweptStep> sweep(const Inputs& inputs, const Case& which, const core::Box& bounds) {
  std::vector<SweptStep> out(which.steps.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].motion.set(inputs.avatar, which.steps[i], 0.0, bounds);
    out[i].whole = out[i].motion.coarse_box();
    for (std::size_t link = 0; link < out[i].motion.link_count(); ++link) {
      out[i].coarse.push_back(out[i].motion.coarse_box(link));
    }
  }
  return out;
}

/// All that Detector::check asks a tree in a step: the avatar's box, the links' boxes, the links.
std::size_t cull(const cpu::TreeCuller& tree, const SweptStep& step, scene::Candidates& candidates,
                 scene::CullCounters& counters) {
  if (tree.clear_of(step.whole)) return 0;
  std::size_t found = 0;
  for (std::size_t i = 0; i < step.coarse.size(); ++i) {
    if (tree.clear_of(step.coarse[i])) continue;
    candidates.clear();
    tree.cull(step.motion.links()[i], candidates, counters);
    found += candidates.size();
  }
  return found;
}

/// A built tree with everything that checks steps with it.
struct Built {
  std::shared_ptr<const detect::ExactStep> core;
  double seconds = 0.0;
};

Built build(const Environment& environment, const papers::TreeChoice& choice,
            const std::shared_ptr<const cpu::TreeCuller>& room) {
  const double begin = now_us();
  auto tree = papers::make_culler(environment, choice, room);
  const double seconds = 1e-6 * (now_us() - begin);
  return {
      std::make_shared<const detect::ExactStep>(environment, DetectorOptions{}, std::move(tree)),
      seconds};
}

void use_target(std::int64_t target) {
  hwy::SetSupportedTargetsForTest(target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

using Contacts = std::vector<std::vector<Contact>>;

Contacts contacts_of(const Inputs& inputs, const Case& which, const detect::ExactStep& core) {
  detect::OwnWorkspace work;
  Contacts out;
  for (const Step& step : which.steps) {
    out.push_back(core.check(inputs.avatar, step, {work.links, work.scratch}, {}).contacts);
  }
  return out;
}

void count(const std::vector<SweptStep>& steps, const cpu::TreeCuller& tree, Row& row) {
  scene::CullCounters counters;
  scene::Candidates candidates;
  std::size_t found = 0;
  for (const SweptStep& step : steps) found += cull(tree, step, candidates, counters);
  const auto n = static_cast<double>(steps.size());
  row.volume_tests = static_cast<double>(counters.volume_tests) / n;
  row.primitive_tests = static_cast<double>(counters.primitive_tests) / n;
  row.updates = static_cast<double>(counters.updates) / n;
  row.candidates = static_cast<double>(found) / n;
}

double time_batch(const std::vector<SweptStep>& steps, std::size_t begin,
                  const cpu::TreeCuller& tree, scene::Candidates& candidates) {
  const std::size_t end = std::min(begin + kBatch, steps.size());
  scene::CullCounters counters;
  const double start = cpu_us();
  for (std::size_t i = begin; i < end; ++i) keep(cull(tree, steps[i], candidates, counters));
  return (cpu_us() - start) / static_cast<double>(end - begin);
}

CaseRows run_choices(const Inputs& inputs, const Case& which, const std::vector<Choice>& choices,
                     const std::vector<Built>& built, std::size_t passes) {
  const std::vector<SweptStep> steps = sweep(inputs, which, built.front().core->tree().bounds());
  CaseRows out;
  out.which = &which;
  Contacts first;
  for (std::size_t c = 0; c < choices.size(); ++c) {
    use_target(choices[c].target);
    Row row;
    row.choice = &choices[c];
    row.build_seconds = built[c].seconds;
    count(steps, built[c].core->tree(), row);
    Contacts found = contacts_of(inputs, which, *built[c].core);
    if (c == 0) first = found;
    row.same = found == first;
    out.rows.push_back(row);
  }
  const std::size_t batches = (steps.size() + kBatch - 1) / kBatch;
  Samples samples(choices.size(), batches);
  scene::Candidates candidates;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    samples.next_pass();
    for (std::size_t batch = 0; batch < batches; ++batch) {
      for (std::size_t c = 0; c < choices.size(); ++c) {
        use_target(choices[c].target);
        const cpu::TreeCuller& tree = built[c].core->tree();
        // Once untimed: every choice finds its own tree in the caches, not its neighbour's.
        time_batch(steps, batch * kBatch, tree, candidates);
        samples.set(c, batch, time_batch(steps, batch * kBatch, tree, candidates));
      }
    }
  }
  for (std::size_t c = 0; c < choices.size(); ++c) out.rows[c].culling = samples.along_take(c);
  return out;
}

std::string rule_name(const papers::BuildRules& options) {
  const auto split = options.split == papers::SplitPoint::kMean ? "mean" : "median";
  switch (options.rule) {
    case papers::AxisRule::kMinSum:
      return fmt::format("min sum, {}", split);
    case papers::AxisRule::kMinMax:
      return fmt::format("min max, {}", split);
    case papers::AxisRule::kSplatter:
      return fmt::format("splatter, {}", split);
    case papers::AxisRule::kLongestSide:
      return fmt::format("longest side, {}", split);
    default:
      return "SAH";
  }
}

std::vector<std::int64_t> simd_targets() {
  std::vector<std::int64_t> out;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) out.push_back(target);
  return out;
}

/// Every k and width at every SIMD target, by the default rule; then every rule and split point.
std::vector<Choice> all_choices(bool quick) {
  std::vector<Choice> out;
  std::vector<std::int64_t> targets = simd_targets();
  const std::int64_t best = targets.front();
  if (quick) targets = {targets.front(), targets.back()};
  for (const std::int64_t target : targets) {
    for (const int k : {6, 14, 18, 26}) {
      for (const int width : {2, 4, 8}) {
        out.push_back({{k, width, {}}, target, rule_name({})});
      }
    }
  }
  using enum papers::AxisRule;
  for (const papers::AxisRule rule : {kMinSum, kMinMax, kSplatter, kLongestSide}) {
    for (const auto split : {papers::SplitPoint::kMean, papers::SplitPoint::kMedian}) {
      papers::TreeChoice tree;
      tree.build.rule = rule;
      tree.build.split = split;
      out.push_back({tree, best, rule_name(tree.build)});
    }
  }
  return out;
}

bool same_tree(const papers::TreeChoice& a, const papers::TreeChoice& b) {
  return a.k == b.k && a.width == b.width && a.build.rule == b.build.rule &&
         a.build.split == b.build.split;
}

/// Choices that differ in the target only share their tree. Boxes are asked of one tree in all.
std::vector<Built> build_all(const Environment& environment, const std::vector<Choice>& choices) {
  const std::shared_ptr<const cpu::TreeCuller> room = cpu::make_tree_culler(environment);
  std::vector<Built> out;
  for (std::size_t c = 0; c < choices.size(); ++c) {
    const auto same = std::find_if(choices.begin(), choices.end(), [&](const Choice& other) {
      return same_tree(other.tree, choices[c].tree);
    });
    const auto at = static_cast<std::size_t>(same - choices.begin());
    out.push_back(at < c ? out[at] : build(environment, choices[c].tree, room));
  }
  return out;
}

std::string text_of(const Inputs& inputs, const std::vector<CaseRows>& cases, bool quick) {
  fmt::memory_buffer out;
  const auto put = [&](const std::string& text) {
    fmt::format_to(std::back_inserter(out), "{}", text);
  };
  put("bench/trees: culling of one step, all links\n\n" + machine_text(this_machine()));
  put(fmt::format("motion      {}\nroom        {}: {} triangles\n", inputs.motion, inputs.room,
                  inputs.environment.triangles().size()));
  if (quick) put("\nQUICK RUN: too few steps and passes for figures to be quoted\n");
  for (const CaseRows& c : cases) {
    put(fmt::format("\n{}: {}; {} steps\n", c.which->name, c.which->what, c.which->steps.size()));
    put(fmt::format("  {:>2} {:>2} {:<6} {:<20} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>7} {:>9}\n",
                    "k", "w", "SIMD", "rule", "median us", "mean us", "p99 us", "Nv", "tested",
                    "Np", "Nu", "build ms"));
    for (const Row& r : c.rows) {
      put(fmt::format(
          "  {:>2} {:>2} {:<6} {:<20} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.2f} {:>9.2f} {:>9.2f} "
          "{:>7.2f} {:>9.1f}{}\n",
          r.choice->tree.k, r.choice->tree.width, hwy::TargetName(r.choice->target), r.choice->rule,
          r.culling.median, r.culling.mean, r.culling.p99, r.volume_tests, r.primitive_tests,
          r.candidates, r.updates, 1e3 * r.build_seconds, r.same ? "" : "  OTHER CONTACTS"));
    }
  }
  put("\nTimes are processor time of one thread, along the take, over batches of 16 steps, warm. "
      "Per\n"
      "step: Nv volumes tested, triangles tested in leaves, Np candidates left, Nu volumes "
      "made.\n");
  return to_string(out);
}

std::string json_of(const Inputs& inputs, const std::vector<CaseRows>& cases, bool quick) {
  using Json = nlohmann::ordered_json;
  Json out = json_head("tocsin.bench.trees.v1", quick, this_machine());
  out["motion"] = inputs.motion;
  out["room"] = inputs.room;
  out["cases"] = Json::array();
  for (const CaseRows& c : cases) {
    Json rows = Json::array();
    for (const Row& r : c.rows) {
      rows.push_back({{"k", r.choice->tree.k},
                      {"width", r.choice->tree.width},
                      {"simd", hwy::TargetName(r.choice->target)},
                      {"rule", r.choice->rule},
                      {"median_us", r.culling.median},
                      {"mean_us", r.culling.mean},
                      {"p99_us", r.culling.p99},
                      {"volume_tests", r.volume_tests},
                      {"primitive_tests", r.primitive_tests},
                      {"candidates", r.candidates},
                      {"updates", r.updates},
                      {"build_ms", 1e3 * r.build_seconds},
                      {"same_contacts", r.same}});
    }
    out["cases"].push_back(
        {{"name", c.which->name}, {"steps", c.which->steps.size()}, {"rows", std::move(rows)}});
  }
  return out.dump(1) + "\n";
}

bool all_same(const std::vector<CaseRows>& cases) {
  return std::all_of(cases.begin(), cases.end(), [](const CaseRows& c) {
    return std::all_of(c.rows.begin(), c.rows.end(), [](const Row& r) { return r.same; });
  });
}

int run(const Options& options) {
  const Result<Inputs> inputs = load_inputs(options.quick);
  if (!inputs.ok()) {
    fmt::print(stderr, "error: {}\n", inputs.error().message);
    return 3;
  }
  const std::vector<Choice> choices = all_choices(options.quick);
  const std::vector<Built> built = build_all(inputs->environment, choices);
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 1 : 5;
  std::vector<CaseRows> cases;
  for (const Case& which : inputs->cases) {
    cases.push_back(run_choices(*inputs, which, choices, built, passes));
  }
  use_target(0);
  const Results results{"trees", text_of(*inputs, cases, options.quick),
                        json_of(*inputs, cases, options.quick)};
  return finish(results, options, this_machine(), all_same(cases),
                "contacts depend on the choice of tree (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"What culling costs by k, children a node, SIMD target and rule of construction. Exit "
       "status 1: contacts depend on the choice.",
       "Few steps, one pass: shows that the contacts agree, not how fast",
       "Passes over every case (5)"},
      tocsin::bench::run);
}
