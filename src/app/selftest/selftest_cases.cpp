#include "app/selftest/selftest_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/cli/text_table.h"
#include "app/cli/words.h"

namespace tocsin::app {
namespace {

using selftest::Answer;
using selftest::CaseResult;
using selftest::Verdict;

/// The backend of a way: "cpu" of "cpu AVX2".
std::string backend_of(const std::string& way) { return way.substr(0, way.find(' ')); }

/// Backends in order, each with the number of its ways.
std::vector<std::pair<std::string, int>> backends_of(const SelftestReport& r) {
  std::vector<std::pair<std::string, int>> out;
  for (const std::string& way : r.ways) {
    if (out.empty() || out.back().first != backend_of(way)) out.emplace_back(backend_of(way), 0);
    ++out.back().second;
  }
  return out;
}

std::vector<TextTable::Column> backend_columns(const SelftestReport& r) {
  std::vector<TextTable::Column> out;
  if (r.oracle) out.push_back({"oracle"});
  for (const auto& [backend, ways] : backends_of(r)) {
    out.push_back({ways == 1 ? backend : fmt::format("{} ({} ways)", backend, ways)});
  }
  return out;
}

std::string number(std::size_t n) { return grouped(static_cast<std::int64_t>(n)); }

/// What a backend answered to some cases; of its ways the worst counts.
struct Outcome {
  std::size_t differing = 0;  ///< steps
  std::size_t steps = 0;      ///< asked about
  std::size_t answered = 0;
  bool failed = false;

  void add(const CaseResult& c, const std::string& backend) {
    std::size_t worst = 0;
    std::size_t least = c.steps;
    bool asked = false;
    for (const Answer& a : c.answers) {
      if (backend_of(a.way) != backend || a.verdict == Verdict::kNotAsked) continue;
      asked = true;
      worst = std::max(worst, a.differing);
      least = std::min(least, a.answered);
      failed = failed || a.verdict == Verdict::kFailed;
    }
    if (!asked) return;
    differing += worst;
    steps += c.steps;
    answered += least;
  }
  [[nodiscard]] std::string word() const {
    if (differing > 0) return number(differing) + " DIFFER";
    if (failed) return "FAILED";
    if (steps == 0) return "-";
    if (answered == 0) return "no time";
    return answered == steps ? "same"
                             : fmt::format("same: {} of {}", number(answered), number(steps));
  }
};

/// What is said about some cases in a row.
struct Row {
  std::size_t cases = 0;
  std::size_t steps = 0;
  std::size_t contacts = 0;
  std::size_t oracle = 0;  ///< steps that it looked at
  std::size_t refuted = 0;
  double seconds = 0.0;
  std::vector<Outcome> of_backends;

  void add(const SelftestReport& r, const CaseResult& c) {
    ++cases;
    steps += c.steps;
    contacts += c.contacts;
    oracle += c.oracle.steps;
    refuted += c.oracle.refutations.size();
    seconds += c.seconds;
    for (const Answer& a : c.answers) seconds += a.seconds;
    const auto backends = backends_of(r);
    of_backends.resize(backends.size());
    for (std::size_t b = 0; b < backends.size(); ++b) of_backends[b].add(c, backends[b].first);
  }
  /// The cells below backend_columns().
  void append_words(const SelftestReport& r, std::vector<std::string>& cells) const {
    if (r.oracle) {
      cells.push_back(refuted > 0 ? number(refuted) + " REFUTED" : number(oracle) + " steps");
    }
    for (const Outcome& outcome : of_backends) cells.push_back(outcome.word());
  }
};

}  // namespace

std::string kinds_text(const SelftestReport& r) {
  std::vector<std::pair<std::string, Row>> rows;
  for (const CaseResult& c : r.cases) {
    auto row = std::ranges::find(rows, c.kind, &std::pair<std::string, Row>::first);
    if (row == rows.end()) row = rows.insert(row, {c.kind, {}});
    row->second.add(r, c);
  }
  std::vector<TextTable::Column> columns{{"Kind of case"},
                                         {"Cases", Align::kRight},
                                         {"Steps", Align::kRight},
                                         {"Contacts", Align::kRight},
                                         {"Seconds", Align::kRight}};
  for (TextTable::Column& column : backend_columns(r)) columns.push_back(std::move(column));
  TextTable table(std::move(columns));
  for (const auto& [kind, row] : rows) {
    std::vector<std::string> cells{kind, number(row.cases), number(row.steps), number(row.contacts),
                                   fixed(row.seconds, 2)};
    row.append_words(r, cells);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string cases_text(const SelftestReport& r) {
  std::vector<TextTable::Column> columns{{"Case", Align::kRight},
                                         {"", Align::kLeft, kWidestName},
                                         {"Steps", Align::kRight},
                                         {"Contacts", Align::kRight},
                                         {"CPU's hash"}};
  for (TextTable::Column& column : backend_columns(r)) columns.push_back(std::move(column));
  TextTable table(std::move(columns));
  for (const CaseResult& c : r.cases) {
    Row row;
    row.add(r, c);
    std::vector<std::string> cells{std::to_string(c.number), c.name, number(c.steps),
                                   number(c.contacts), c.hash};
    row.append_words(r, cells);
    table.add(std::move(cells));
  }
  return table.text();
}

std::string coverage_text(const SelftestReport& r) {
  std::size_t contacts = 0;
  std::size_t steps = 0;
  std::size_t oracle = 0;
  std::size_t no_time = 0;
  for (const CaseResult& c : r.cases) {
    contacts += c.contacts;
    steps += c.steps;
    oracle += c.oracle.steps;
    no_time +=
        static_cast<std::size_t>(std::ranges::count(c.answers, Verdict::kNoTime, &Answer::verdict));
  }
  std::string out =
      fmt::format("{} with {} and {}", count_of(static_cast<std::int64_t>(r.cases.size()), "case"),
                  count_of(static_cast<std::int64_t>(steps), "step"),
                  count_of(static_cast<std::int64_t>(contacts), "contact"));
  if (r.oracle)
    out += fmt::format("; the oracle looked at {}",
                       count_of(static_cast<std::int64_t>(oracle), "step"));
  if (no_time > 0)
    out += fmt::format("; {} not finished in time",
                       count_of(static_cast<std::int64_t>(no_time), "answer"));
  if (!r.not_reached.empty()) {
    out += fmt::format(
        "; {} not reached, more --seconds: {}",
        count_of(static_cast<std::int64_t>(r.not_reached.size()), "kind of case", "kinds of cases"),
        listed(r.not_reached));
  }
  return out + ".\n";
}

}  // namespace tocsin::app
