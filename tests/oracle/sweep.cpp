#include "sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <thread>

#include "core/link_motion.h"

namespace tocsin::oracle::test {
namespace {

constexpr std::uint64_t kChunk = 256;

Vec3 rounded_to_float(const Vec3& p) {
  return {static_cast<double>(static_cast<float>(p.x)),
          static_cast<double>(static_cast<float>(p.y)),
          static_cast<double>(static_cast<float>(p.z))};
}

// True if the link is farther from touching at lo than certify's rounding can excuse.
bool starts_early(const LinkQuery& query, double lo) {
  const LinkPath path(query.chain, query.kind, query.a, query.b);
  Prover prover(path, query.triangle, query.radius);
  return prover.distance(lo).least > prover.radius() + 8.0L * static_cast<Real>(eta_of(query));
}

void count(const LinkQuery& query, const core::Certificate& c, const Verdict& verdict,
           double tolerance, ClassCounts& counts) {
  ++counts.queries;
  switch (c.outcome) {
    case core::Outcome::kFree:
      ++counts.free;
      break;
    case core::Outcome::kOverlap:
      ++counts.overlap;
      break;
    case core::Outcome::kHit:
      ++counts.hit;
      if (c.hi - c.lo > tolerance) {
        ++counts.wide;
        if (starts_early(query, c.lo)) ++counts.loose;
      }
      break;
    case core::Outcome::kGraze:
    case core::Outcome::kPruned:
      ++counts.graze;
      break;
  }
  if (c.limited) ++counts.limited;
  counts.evaluations += static_cast<std::uint64_t>(c.evaluations);
  counts.most_evaluations = std::max(counts.most_evaluations, c.evaluations);
  counts.oracle_evaluations += static_cast<std::uint64_t>(verdict.evaluations);
  if (verdict.kind == Verdict::Kind::kUndecided) ++counts.undecided;
  if (verdict.kind == Verdict::Kind::kRefuted) {
    ++(verdict.fault == Verdict::Fault::kMissedContact ? counts.missed : counts.wrong);
  }
}

// Work is handed out in chunks of one class; every chunk is counted on its own and added up, so
// that nothing depends on who did it.
class Run {
 public:
  explicit Run(const SweepOptions& options) : options_(options), classes_(options.classes) {
    if (classes_.empty()) {
      for (int i = 0; i < kClassCount; ++i) classes_.push_back(static_cast<QueryClass>(i));
    }
    per_class_ = options.queries / classes_.size() / 2 * 2;
    chunks_per_class_ = (per_class_ + kChunk - 1) / kChunk;
  }

  SweepResult go() {
    int threads = options_.threads;
    if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<std::thread> pool;
    for (int i = 0; i < threads; ++i) pool.emplace_back([this] { work(); });
    for (std::thread& thread : pool) thread.join();
    auto& found = result_.refutations;
    std::sort(found.begin(), found.end(), [](const Refutation& a, const Refutation& b) {
      return std::pair(a.query_class, a.index) < std::pair(b.query_class, b.index);
    });
    return result_;
  }

 private:
  void work() {
    for (;;) {
      const std::uint64_t chunk = next_.fetch_add(1);
      if (chunk >= chunks_per_class_ * classes_.size()) return;
      const QueryClass c = classes_[chunk % classes_.size()];
      const std::uint64_t first = chunk / classes_.size() * kChunk;
      const std::uint64_t last = std::min(first + kChunk, per_class_);
      run_chunk(c, first, last);
      const std::uint64_t done = done_.fetch_add(last - first) + (last - first);
      if (options_.progress) options_.progress(done);
    }
  }

  void run_chunk(QueryClass c, std::uint64_t first, std::uint64_t last) {
    const QueryGenerator generator(c, options_.seed);
    ClassCounts counts;
    std::vector<Refutation> found;
    for (std::uint64_t i = first; i < last; i += 2) {
      const std::array<LinkQuery, 2> pair = generator.make_pair(i / 2);
      judge(c, i, pair[0], counts, found);
      judge(c, i + 1, pair[1], counts, found);
    }
    const std::lock_guard lock(mutex_);
    result_.counts[static_cast<std::size_t>(c)].add(counts);
    for (Refutation& r : found) {
      if (result_.refutations.size() < 100) result_.refutations.push_back(r);
    }
  }

  void judge(QueryClass c, std::uint64_t index, const LinkQuery& query, ClassCounts& counts,
             std::vector<Refutation>& found) const {
    const core::Certificate certificate = certify_query(query, options_.tolerance);
    const Claim claim = claim_of(certificate);
    const Verdict verdict = verify(query, claim);
    count(query, certificate, verdict, options_.tolerance, counts);
    if (verdict.kind == Verdict::Kind::kRefuted) {
      found.push_back({c, options_.seed, index, claim, verdict});
    }
  }

  const SweepOptions& options_;
  std::vector<QueryClass> classes_;
  std::uint64_t per_class_ = 0;
  std::uint64_t chunks_per_class_ = 0;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  SweepResult result_;
};

std::string row(std::string_view name, const ClassCounts& c) {
  const auto n = static_cast<double>(std::max<std::uint64_t>(c.queries, 1));
  return fmt::format(
      "{:<11}{:>10}{:>10}{:>10}{:>10}{:>7.1f}%{:>8}{:>8}{:>8}{:>7}{:>7}{:>7}{:>10}{:>9.1f}{:>7}{:>"
      "9.1f}"
      "\n",
      name, c.queries, c.free, c.hit, c.overlap, 100.0 * static_cast<double>(c.contacts()) / n,
      c.graze, c.limited, c.wide, c.loose, c.missed, c.wrong, c.undecided,
      static_cast<double>(c.evaluations) / n, c.most_evaluations,
      static_cast<double>(c.oracle_evaluations) / n);
}

const char* status_name(Claim::Status s) {
  switch (s) {
    case Claim::Status::kFree:
      return "free";
    case Claim::Status::kOverlap:
      return "overlap";
    case Claim::Status::kHit:
      return "hit";
    case Claim::Status::kGraze:
      return "graze";
  }
  return "?";
}

std::string numbers(const Vec3& v) { return fmt::format("({:a}, {:a}, {:a})", v.x, v.y, v.z); }

}  // namespace

namespace {

// A query as certify wants it.
class CertifyInput {
 public:
  explicit CertifyInput(const LinkQuery& query) : indices_(query.chain.size()) {
    std::iota(indices_.begin(), indices_.end(), 0);
    link.joints = query.chain.data();
    link.chain = indices_.data();
    link.chain_length = static_cast<std::int32_t>(indices_.size());
    link.kind = query.kind;
    link.a = query.a;
    link.b = query.b;
    link.radius = query.radius;
    link.ref = rounded_to_float(query.chain.front().c);
    core::ChainBounds bounds;
    for (const core::JointMotion& m : query.chain) {
      bounds = core::extend(bounds, m, query.kind, link.ref);
    }
    core::set_bounds(link, bounds);
    for (std::size_t i = 0; i < 3; ++i)
      triangle.v[i] = core::to_double(query.triangle[i]) - link.ref;
  }

  core::LinkMotion link;
  core::Triangle triangle;

 private:
  std::vector<std::int32_t> indices_;
};

}  // namespace

core::Certificate certify_query(const LinkQuery& query, double tolerance) {
  const CertifyInput in(query);
  return core::certify(in.link, core::evaluate(in.link, 0.0), in.triangle, tolerance, core::kToEnd);
}

double eta_of(const LinkQuery& query) {
  const CertifyInput in(query);
  double reach = 0.0;
  for (const Vec3& v : in.triangle.v) reach = std::max(reach, core::norm(v));
  return core::rounding_margin(in.link, reach);
}

Claim claim_of(const core::Certificate& c) {
  switch (c.outcome) {
    case core::Outcome::kFree:
      return {Claim::Status::kFree, 0.0, 0.0};
    case core::Outcome::kOverlap:
      return {Claim::Status::kOverlap, c.lo, c.hi};
    case core::Outcome::kHit:
      return {Claim::Status::kHit, c.lo, c.hi};
    case core::Outcome::kGraze:
    case core::Outcome::kPruned:
      return {Claim::Status::kGraze, c.lo, c.hi};
  }
  return {};
}

void ClassCounts::add(const ClassCounts& o) {
  queries += o.queries;
  free += o.free;
  hit += o.hit;
  overlap += o.overlap;
  graze += o.graze;
  limited += o.limited;
  wide += o.wide;
  loose += o.loose;
  missed += o.missed;
  wrong += o.wrong;
  undecided += o.undecided;
  evaluations += o.evaluations;
  most_evaluations = std::max(most_evaluations, o.most_evaluations);
  oracle_evaluations += o.oracle_evaluations;
}

SweepResult sweep(const SweepOptions& options) { return Run(options).go(); }

std::string table(const SweepResult& result) {
  std::string out = fmt::format(
      "{:<11}{:>10}{:>10}{:>10}{:>10}{:>8}{:>8}{:>8}{:>8}{:>7}{:>7}{:>7}{:>10}{:>9}{:>7}{:>9}\n",
      "class", "queries", "free", "hit", "overlap", "contact", "graze", "limited", "wide", "loose",
      "missed", "wrong", "undecided", "evals", "worst", "oracle");
  ClassCounts total;
  for (std::size_t i = 0; i < result.counts.size(); ++i) {
    const ClassCounts& c = result.counts[i];
    if (c.queries == 0) continue;
    out += row(name_of(static_cast<QueryClass>(i)), c);
    total.add(c);
  }
  return out + row("all", total);
}

std::string describe(const Refutation& r) {
  return fmt::format(
      "{}: class {} seed {} index {}: claimed {} [{:.17g}, {:.17g}], refuted at t = {:.21Lg}, "
      "distance "
      "{:.21Lg} m\n",
      name_of(r.verdict.fault), name_of(r.query_class), r.seed, r.index,
      status_name(r.claim.status), r.claim.lo, r.claim.hi, r.verdict.time, r.verdict.distance);
}

std::string describe(const LinkQuery& q) {
  std::string out = fmt::format("{}, radius {:a}, a {}, b {}\n",
                                q.kind == InBetween::kScrew ? "screw" : "translate_rotate",
                                q.radius, numbers(q.a), numbers(q.b));
  for (const Vec3f& v : q.triangle) out += fmt::format("corner {}\n", numbers(core::to_double(v)));
  for (const core::JointMotion& m : q.chain) {
    out += fmt::format("joint r0 {} {} {}\n  c {} s {}\n  u {} w {:a}\n  v {} h {:a}\n",
                       numbers(m.r0.row[0]), numbers(m.r0.row[1]), numbers(m.r0.row[2]),
                       numbers(m.c), numbers(m.s), numbers(m.u), m.w, numbers(m.v), m.h);
  }
  return out;
}

}  // namespace tocsin::oracle::test
