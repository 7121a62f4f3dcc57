// oracle_sweep: as many random queries as you like, link against triangle, link against link or
// hull against hull, judged by the oracle. Exit 1 if any answer is refuted; each refutation is
// printed with a line that reproduces it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <mutex>

#include "hulls/hull_sweep.h"
#include "pair_sweep.h"
#include "sweep.h"

namespace {

using namespace tocsin::oracle::test;

struct Asked {
  std::uint64_t queries = 1'000'000;
  std::uint64_t seed = 1;
  std::vector<std::string> names;
  int threads = 0;
  double tolerance = 1e-9;
  std::uint64_t index = 0;
  bool single = false;
};

// Progress on standard error, at most once a second.
class Progress {
 public:
  explicit Progress(std::uint64_t all) : all_(all) {}
  void operator()(std::uint64_t done) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < std::chrono::seconds(1)) return;
    shown_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    fmt::print(stderr, "\r{} of {} queries, {:.0f} s, {:.0f} a second ", done, all_, seconds,
               static_cast<double>(done) / seconds);
  }

 private:
  std::uint64_t all_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point shown_ = start_;
};

template <class Queries>
int run(const SweepOptionsOf<Queries>& options, const char* kind) {
  const SweepResultOf<Queries> result = sweep(options);
  fmt::print(stderr, "\n");
  fmt::print("{}", table(result));
  for (const RefutationOf<Queries>& r : result.refutations) {
    fmt::print("{}  oracle_sweep{} --class {} --seed {} --index {} --tolerance {}\n", describe(r),
               kind, Queries::name(r.query_class), r.seed, r.index, options.tolerance);
  }
  return result.refutations.empty() ? 0 : 1;
}

// One query in full.
template <class Queries>
int show(typename Queries::Class c, const Asked& asked) {
  using tocsin::oracle::Claim;
  using tocsin::oracle::Verdict;
  const auto query = Queries::make_pair(c, asked.seed, asked.index / 2)[asked.index % 2];
  const tocsin::core::Certificate certificate = Queries::certify(query, asked.tolerance);
  const Claim claim = claim_of(certificate);
  const Verdict verdict = tocsin::oracle::verify(query, claim);
  constexpr const char* kKinds[] = {"confirmed", "refuted", "undecided"};
  fmt::print("{}", describe(query));
  fmt::print("core: {} [{:.17g}, {:.17g}], {} evaluations, limited {}\n", status_name(claim.status),
             claim.lo, claim.hi, certificate.evaluations, certificate.limited);
  fmt::print("oracle: {}, {} evaluations\n{}", kKinds[static_cast<int>(verdict.kind)],
             verdict.evaluations,
             describe(RefutationOf<Queries>{c, asked.seed, asked.index, claim, verdict}));
  return verdict.kind == Verdict::Kind::kRefuted ? 1 : 0;
}

template <class Queries>
int run(const Asked& asked, const char* kind) {
  SweepOptionsOf<Queries> options;
  options.queries = asked.queries;
  options.seed = asked.seed;
  options.threads = asked.threads;
  options.tolerance = asked.tolerance;
  for (const std::string& name : asked.names) {
    typename Queries::Class c{};
    if (!class_of(name, c)) {
      fmt::print(stderr, "no class named {}\n", name);
      return 2;
    }
    options.classes.push_back(c);
  }
  if (asked.single) {
    if (options.classes.size() != 1) {
      fmt::print(stderr, "--index needs one --class\n");
      return 2;
    }
    return show<Queries>(options.classes.front(), asked);
  }
  Progress progress(options.queries);
  options.progress = [&](std::uint64_t done) { progress(done); };
  return run<Queries>(options, kind);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Random queries of every class, judged by the oracle."};
  Asked asked;
  bool pairs = false;
  bool hulls = false;
  auto* links =
      app.add_flag("--pairs", pairs, "two links, both moving; otherwise a link and a triangle");
  app.add_flag("--hulls", hulls, "two hulls of up to three points, both moving")->excludes(links);
  app.add_option("--queries", asked.queries, "over all classes together")->capture_default_str();
  app.add_option("--seed", asked.seed)->capture_default_str();
  app.add_option("--class", asked.names, "only this class; repeatable");
  app.add_option("--threads", asked.threads, "0: all")->capture_default_str();
  app.add_option("--tolerance", asked.tolerance)->capture_default_str();
  auto* single = app.add_option("--index", asked.index, "show this query of --class in full");
  CLI11_PARSE(app, argc, argv);
  asked.single = static_cast<bool>(*single);
  if (hulls) return run<HullQueries>(asked, " --hulls");
  return pairs ? run<PairQueries>(asked, " --pairs") : run<LinkQueries>(asked, "");
}
