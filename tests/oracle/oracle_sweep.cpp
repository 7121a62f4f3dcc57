// oracle_sweep: as many random link-triangle queries as you like, judged by the oracle. Exit 1 if
// any answer is refuted; each refutation is printed with a line that reproduces it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <mutex>

#include "sweep.h"

namespace {

using namespace tocsin::oracle::test;

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

int run(const SweepOptions& options) {
  const SweepResult result = sweep(options);
  fmt::print(stderr, "\n");
  fmt::print("{}", table(result));
  for (const Refutation& r : result.refutations) {
    fmt::print("{}  oracle_sweep --class {} --seed {} --index {} --tolerance {}\n", describe(r),
               name_of(r.query_class), r.seed, r.index, options.tolerance);
  }
  return result.refutations.empty() ? 0 : 1;
}

// One query in full.
int show(QueryClass c, std::uint64_t seed, std::uint64_t index, double tolerance) {
  using tocsin::oracle::Claim;
  using tocsin::oracle::Verdict;
  const tocsin::oracle::LinkQuery query = QueryGenerator(c, seed).make(index);
  const tocsin::core::Certificate certificate = certify_query(query, tolerance);
  const Claim claim = claim_of(certificate);
  const Verdict verdict = tocsin::oracle::verify(query, claim);
  constexpr const char* kKinds[] = {"confirmed", "refuted", "undecided"};
  fmt::print("{}", describe(query));
  fmt::print("certify: {} evaluations, limited {}\n", certificate.evaluations, certificate.limited);
  fmt::print("oracle: {}, {} evaluations\n{}", kKinds[static_cast<int>(verdict.kind)],
             verdict.evaluations, describe(Refutation{c, seed, index, claim, verdict}));
  return verdict.kind == Verdict::Kind::kRefuted ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Random link-triangle queries of every class, judged by the oracle."};
  SweepOptions options;
  std::vector<std::string> names;
  std::uint64_t index = 0;
  app.add_option("--queries", options.queries, "over all classes together")->capture_default_str();
  app.add_option("--seed", options.seed)->capture_default_str();
  app.add_option("--class", names, "only this class; repeatable");
  app.add_option("--threads", options.threads, "0: all")->capture_default_str();
  app.add_option("--tolerance", options.tolerance)->capture_default_str();
  auto* single = app.add_option("--index", index, "show this query of --class in full");
  CLI11_PARSE(app, argc, argv);
  for (const std::string& name : names) {
    QueryClass c{};
    if (!class_of(name, c)) {
      fmt::print(stderr, "no class named {}\n", name);
      return 2;
    }
    options.classes.push_back(c);
  }
  if (*single) {
    if (options.classes.size() != 1) {
      fmt::print(stderr, "--index needs one --class\n");
      return 2;
    }
    return show(options.classes.front(), options.seed, index, options.tolerance);
  }
  Progress progress(options.queries);
  options.progress = [&](std::uint64_t done) { progress(done); };
  return run(options);
}
