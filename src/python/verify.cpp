// The second implementation's opinion of a Run.
#include <pybind11/stl.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

#include "oracle/shapes/shape_trees.h"
#include "oracle/solid_claims.h"
#include "oracle/verify_meeting.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/run.h"
#include "python/without_gil.h"

namespace tocsin::python {
namespace {

constexpr const char* kVerificationDoc =
    "What the second implementation thinks of a check. moments: of how many steps. contacts,\n"
    "free_pairs, clearances: how many of each were looked at. undecided: queries too close to\n"
    "call. refutations, doubts: sentences. confirmed: nothing is refuted.";

struct Verification {
  std::uint64_t moments = 0;
  std::uint64_t contacts = 0;
  std::uint64_t free_pairs = 0;
  std::uint64_t clearances = 0;
  std::uint64_t undecided = 0;
  std::vector<std::string> refutations = {};
  std::vector<std::string> doubts = {};
};

/// One step of one avatar, and all that was found in it.
struct Claim {
  std::int64_t index = 0;
  std::int32_t avatar = 0;
  std::size_t step = 0;
  std::vector<Contact> contacts = {};
};

/// In order of (index, avatar): those of one moment follow each other.
std::vector<Claim> claims_of(const Run& run) {
  std::vector<Claim> out;
  out.reserve(run.step_count());
  for (std::size_t avatar = 0; avatar < run.steps.size(); ++avatar) {
    const std::size_t first = out.size();
    for (std::size_t k = 0; k < run.steps[avatar].size(); ++k) {
      out.push_back({run.steps[avatar][k].index(), static_cast<std::int32_t>(avatar), k});
    }
    for (const FoundContact& one : run.found) {
      if (one.avatar != static_cast<std::int32_t>(avatar)) continue;
      out[first + one.step].contacts.push_back(one.contact);
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const Claim& a, const Claim& b) {
    return std::tie(a.index, a.avatar) < std::tie(b.index, b.avatar);
  });
  return out;
}

/// [first, last) of the claims of one time. Of one avatar every step is one, whatever its index.
using Moment = std::pair<std::size_t, std::size_t>;

std::vector<Moment> moments_of(const Run& run, const std::vector<Claim>& claims) {
  std::vector<Moment> out;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const bool same = run.meet() && i > 0 && claims[i].index == claims[i - 1].index;
    if (!same) out.emplace_back(i, i);
    ++out.back().second;
  }
  return out;
}

/// So large a share of them, evenly spread, at least one.
std::vector<Moment> spread(const std::vector<Moment>& all, double fraction) {
  std::vector<Moment> out;
  double taken_so_far = 0.0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double due = std::ceil(static_cast<double>(i + 1) * fraction);
    if (due > taken_so_far) out.push_back(all[i]);
    taken_so_far = due;
  }
  return out;
}

std::span<const double> claimed_clearances(const Run& run, const Claim& claim) {
  if (run.clearances.empty()) return {};
  const auto avatar = static_cast<std::size_t>(claim.avatar);
  const std::size_t links = run.members[avatar].avatar.links().size();
  return std::span(run.clearances[avatar]).subspan(claim.step * links, links);
}

void add(Verification& to, oracle::StepVerdict&& verdict) {
  const std::uint64_t pairs = verdict.pairs + verdict.link_pairs;
  ++to.moments;
  to.contacts += verdict.contacts;
  to.free_pairs += pairs - std::min(pairs, verdict.contacts);
  to.clearances += verdict.clearances;
  to.undecided += verdict.undecided;
  std::move(verdict.refutations.begin(), verdict.refutations.end(),
            std::back_inserter(to.refutations));
  std::move(verdict.doubts.begin(), verdict.doubts.end(), std::back_inserter(to.doubts));
}

Verification confirm(const Run& run, double fraction, int threads, const std::stop_token& stop) {
  const Environment& room = run.detector.environment();
  const DetectorOptions& asked = run.detector.options();
  const oracle::SolidClaims solids(room, asked.surfaces);
  const oracle::ShapeTrees trees(run.members);
  oracle::MeetingOptions options;
  options.margin = asked.margin;
  options.contacts_first = asked.contacts == Contacts::kFirst;
  options.meet = run.meet();
  options.solids = &solids;
  options.trees = &trees;
  const std::vector<Claim> claims = claims_of(run);
  const std::vector<Moment> moments = spread(moments_of(run, claims), fraction);
  std::vector<oracle::StepVerdict> verdicts(moments.size());
  const auto ask = [&](const Moment& moment) {
    std::vector<oracle::MemberClaim> said;
    for (std::size_t i = moment.first; i < moment.second; ++i) {
      const Claim& one = claims[i];
      const auto avatar = static_cast<std::size_t>(one.avatar);
      oracle::MemberClaim claim{one.avatar, &run.members[avatar], &run.steps[avatar][one.step],
                                one.contacts};
      claim.clearances = claimed_clearances(run, one);
      said.push_back(claim);
    }
    return oracle::verify_meeting(said, room, options);
  };
  tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, moments.size(), [&](std::size_t i) {
      if (!stop.stop_requested()) verdicts[i] = ask(moments[i]);
    });
  });
  if (stop.stop_requested()) refuse(ErrorCode::kCancelled, "interrupted");
  Verification out;
  for (oracle::StepVerdict& verdict : verdicts) add(out, std::move(verdict));
  return out;
}

Verification verify(const Run& run, double fraction, int threads) {
  if (!(fraction > 0.0 && fraction <= 1.0)) {
    refuse(ErrorCode::kUsage, "fraction: expected a number above 0, at most 1");
  }
  return interruptible(
      [&](const std::stop_token& stop) { return confirm(run, fraction, threads, stop); });
}

}  // namespace

void bind_verify(py::module_& m) {
  py::class_<Verification>(m, "Verification", kVerificationDoc)
      .def_readonly("moments", &Verification::moments, "Steps that were looked at.")
      .def_readonly("contacts", &Verification::contacts, "Contacts that were looked at.")
      .def_readonly("free_pairs", &Verification::free_pairs, "Pairs without a contact.")
      .def_readonly("clearances", &Verification::clearances, "Clearances of links.")
      .def_readonly("undecided", &Verification::undecided, "Queries too close to call.")
      .def_readonly("refutations", &Verification::refutations, "What is wrong, sentences.")
      .def_readonly("doubts", &Verification::doubts, "What could not be decided, sentences.")
      .def_property_readonly(
          "confirmed", [](const Verification& v) { return v.refutations.empty(); },
          "True if nothing is refuted.")
      .def("__bool__", [](const Verification& v) { return v.refutations.empty(); });
  m.def("_verify", &verify, py::arg("run"), py::arg("fraction"), py::arg("threads"),
        "Result.verify");
}

}  // namespace tocsin::python
