#include "app/validate/validate_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

#include "app/check/contact_words.h"
#include "app/check/heading.h"
#include "app/check/table.h"
#include "app/cli/help_format.h"
#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "base/json_text.h"
#include "io/report/option_names.h"

namespace tocsin::app {
namespace {

/// Columns beside the labels that fit a terminal of 100: more answers make another table.
constexpr std::size_t kMostColumns = 6;
constexpr std::size_t kTextColumns = 100;
constexpr std::size_t kFactColumns = 11;  // fact()'s label

std::string count(std::int64_t number) { return grouped(number); }
std::string count(std::uint64_t number) { return grouped(static_cast<std::int64_t>(number)); }

std::string time_of(double milliseconds) {
  if (milliseconds < 1000.0) return fixed(milliseconds, 1) + " ms";
  return fixed(milliseconds / 1000.0, 2) + " s";
}

std::string time_per_step(const BackendRun& run) {
  if (run.tally.steps == 0) return "-";
  const double microseconds = 1000.0 * run.check_ms / static_cast<double>(run.tally.steps);
  if (microseconds < 100.0) return fixed(microseconds, 1) + " us";
  return grouped(static_cast<std::int64_t>(std::llround(microseconds))) + " us";
}

/// A count that only devices with box pairs have.
std::string seen_count(const BackendRun& run, std::uint64_t number) {
  return run.backend == Backend::kGl ? count(number) : "-";
}

std::string share(std::optional<Spread> spread, double Spread::*of) {
  return spread ? brief((*spread).*of) : "-";
}

std::string size_of(const ImageRow& row) {
  return fmt::format("{}x{}", row.size.first, row.size.second);
}

/// A table with a column for each answer: the label of a line, and its cell for each.
template <class Row>
struct Line {
  std::string label;
  std::function<std::string(const Row&)> cell;
};

template <class Row>
std::string columns_of(const std::string& heading, const std::vector<Row>& rows,
                       const std::function<std::string(const Row&)>& name,
                       const std::vector<Line<Row>>& lines) {
  std::string out;
  for (std::size_t begin = 0; begin < rows.size(); begin += kMostColumns) {
    const std::size_t end = std::min(rows.size(), begin + kMostColumns);
    std::vector<TextTable::Column> columns{{heading, Align::kLeft}};
    for (std::size_t i = begin; i < end; ++i) columns.push_back({name(rows[i]), Align::kRight});
    TextTable table(columns);
    for (const Line<Row>& line : lines) {
      std::vector<std::string> cells{line.label};
      for (std::size_t i = begin; i < end; ++i) cells.push_back(line.cell(rows[i]));
      table.add(cells);
    }
    out += table.text() + '\n';
  }
  return out;
}

/// Times and counts of both kinds of answer.
template <class Row>
std::vector<Line<Row>> work_lines() {
  return {
      {"Time", [](const Row& row) { return time_of(row.run.check_ms); }},
      {"  per step", [](const Row& row) { return time_per_step(row.run); }},
      {"  to build, before", [](const Row& row) { return time_of(row.run.build_ms); }},
      {"Links near something", [](const Row& row) { return count(row.run.counters.near_links); }},
      {"Box pairs (slab, cluster)",
       [](const Row& row) { return seen_count(row.run, row.run.counters.box_pairs); }},
      {"  left by visibility",
       [](const Row& row) { return seen_count(row.run, row.run.counters.seen_pairs); }},
  };
}

std::string exact_table(const Job& job, const Validation& validation) {
  using Row = ExactRow;
  const Row* const reference = &validation.reference();
  const auto beside = [reference](std::int64_t ExactDifferences::*number) {
    return [=](const Row& row) {
      return &row == reference ? std::string("-") : count(row.differences.*number);
    };
  };
  auto lines = work_lines<Row>();
  lines.push_back(
      {"Candidate triangles", [](const Row& row) { return count(row.run.counters.candidates); }});
  if (job.pairs_links()) {
    lines.push_back(
        {"Pairs of links", [](const Row& row) { return count(row.run.counters.link_pairs); }});
  }
  lines.push_back({"Contacts", [](const Row& row) { return count(row.run.tally.contacts); }});
  lines.push_back({"  missed", beside(&ExactDifferences::missed)});
  lines.push_back({"  extra", beside(&ExactDifferences::extra)});
  lines.push_back({"  otherwise different", beside(&ExactDifferences::different)});
  lines.push_back({"Hash", [](const Row& row) { return row.run.hash; }});
  return columns_of<Row>(
      "Backend", validation.exact,
      [](const Row& row) { return std::string(io::name_of(row.run.backend)); }, lines);
}

std::string image_table(const Validation& validation) {
  using Row = ImageRow;
  const auto of = [](std::int64_t ImageDifferences::*number) {
    return [=](const Row& row) { return count(row.differences.*number); };
  };
  const auto spread = [](std::vector<double> ImageDifferences::*numbers, double Spread::*which) {
    return [=](const Row& row) { return share(spread_of(row.differences.*numbers), which); };
  };
  auto lines = work_lines<Row>();
  lines.push_back({"Contacts", of(&ImageDifferences::contacts)});
  lines.push_back({"  missed", of(&ImageDifferences::missed)});
  lines.push_back({"  false: proved free", of(&ImageDifferences::false_pairs)});
  lines.push_back({"  lo later than the exact one", of(&ImageDifferences::late)});
  lines.push_back(
      {"Bracket width, steps: median", spread(&ImageDifferences::widths, &Spread::median)});
  lines.push_back({"  largest", spread(&ImageDifferences::widths, &Spread::max)});
  lines.push_back(
      {"Lo early by, steps: median", spread(&ImageDifferences::early, &Spread::median)});
  lines.push_back({"  most", spread(&ImageDifferences::early, &Spread::max)});
  const bool paper = validation.surface == GlSurface::kPaper;
  return columns_of<Row>(paper ? "gl image space, paper" : "gl image space", validation.image,
                         size_of, lines);
}

std::string device_lines(const Validation& validation) {
  const auto line = [](Backend backend, const std::string& text) {
    return fact(io::name_of(backend), wrapped(text, kTextColumns - kFactColumns, kFactColumns));
  };
  std::string out;
  for (const ExactRow& row : validation.exact) {
    const bool reference = &row == &validation.reference();
    out += line(row.run.backend, row.run.device + (reference ? "; the reference" : ""));
  }
  for (const AbsentBackend& absent : validation.absent) {
    out += line(absent.backend, "not run: " + absent.reason);
  }
  return out;
}

std::string bracket(const std::optional<Contact>& contact) {
  if (!contact) return "free";
  return fmt::format("{} [{}, {}]", io::name_of(contact->status), contact->toc[0], contact->toc[1]);
}

std::string line_of(const Job& job, const Finding& finding) {
  const std::optional<Contact>& of = finding.reference ? finding.reference : finding.found;
  if (!of) {
    const std::string& whose = job.takes[static_cast<std::size_t>(finding.avatar)].name;
    return fmt::format("step {}: other bounds{}", finding.step,
                       job.several() ? " of " + whose : std::string());
  }
  const std::string reference = bracket(finding.reference);
  const std::string found = bracket(finding.found);
  return fmt::format("step {}: {} and {}: cpu {}, here {}{}", finding.step,
                     link_text(job, finding.avatar, of->link),
                     touched_text(job, finding.avatar, *of), reference, found,
                     reference == found ? ": another triangle, point or normal" : "");
}

std::vector<std::string> lines_of(const Job& job, const std::vector<Finding>& findings,
                                  std::int64_t total) {
  std::vector<std::string> out;
  out.reserve(findings.size() + 1);
  for (const Finding& finding : findings) out.push_back(line_of(job, finding));
  const auto shown = static_cast<std::int64_t>(findings.size());
  if (total > shown) out.push_back(fmt::format("... and {} more", grouped(total - shown)));
  return out;
}

Judgement judge(const Job& job, const Validation& validation, const ExactRow& row) {
  const ExactDifferences& d = row.differences;
  const std::string_view name = io::name_of(row.run.backend);
  if (row.equal) {
    return {fmt::format("{} and cpu agree bit for bit: {} in {}.", name,
                        count_of(row.run.tally.contacts, "contact"),
                        count_of(row.run.tally.steps, "step")),
            {}};
  }
  if (!d.any()) {
    return {fmt::format("{} DIFFERS from cpu: its hash is {} instead of {}, although its contacts "
                        "are equal; their order or signs of zero are not.",
                        name, row.run.hash, validation.reference().run.hash),
            {}};
  }
  return {fmt::format("{} DIFFERS from cpu: {} missed, {} extra, {} otherwise different.", name,
                      grouped(d.missed), grouped(d.extra), grouped(d.different)),
          lines_of(job, d.findings, d.missed + d.extra + d.different)};
}

Judgement judge(const Job& job, const Validation& validation, const ImageRow& row) {
  const ImageDifferences& d = row.differences;
  const std::string total = count_of(validation.reference().run.tally.contacts, "contact");
  const std::string where = fmt::format("gl in image space at {}", size_of(row));
  Judgement out;
  if (d.missed + d.refuted == 0) {
    out.sentence = fmt::format("{}: nothing missed, nothing too late; {} of {} false.", where,
                               grouped(d.false_pairs), count_of(d.contacts, "contact"));
  } else if (validation.surface == GlSurface::kPaper) {
    // Not listed: this option exists to count the missed contacts.
    out.sentence = fmt::format(
        "{}: the paper's surface, seen at pixel centres, misses {} of {}, "
        "and {} it sees too late.",
        where, grouped(d.missed), total, grouped(d.refuted));
  } else {
    out.sentence = fmt::format("{} is WRONG: {} of {} missed, {} later than proved.", where,
                               grouped(d.missed), total, grouped(d.refuted));
    out.faults = lines_of(job, d.findings, d.missed + d.refuted);
  }
  if (d.late > d.refuted) {
    out.sentence +=
        fmt::format(" {} later than the exact lo, within the exact bracket: both right.",
                    grouped(d.late - d.refuted));
  }
  return out;
}

}  // namespace

bool is_wrong(const ImageRow& row, GlSurface surface) {
  return surface == GlSurface::kSkin && row.differences.missed + row.differences.refuted > 0;
}

bool holds(const Validation& validation) {
  const auto wrong = [&](const ImageRow& row) { return is_wrong(row, validation.surface); };
  return std::all_of(validation.exact.begin(), validation.exact.end(),
                     [](const ExactRow& row) { return row.equal; }) &&
         std::none_of(validation.image.begin(), validation.image.end(), wrong);
}

std::vector<Judgement> verdict(const Job& job, const Validation& validation) {
  std::vector<Judgement> out;
  if (job.step_count() == 0) out.push_back({"Nothing was checked.", {}});
  if (validation.exact.size() == 1) {
    out.push_back({"Nothing was compared: no backend but the CPU ran.", {}});
  }
  if (!out.empty()) return out;
  for (const ExactRow& row : validation.exact) {
    if (&row != &validation.reference()) out.push_back(judge(job, validation, row));
  }
  for (const ImageRow& row : validation.image) out.push_back(judge(job, validation, row));
  const bool gl = std::any_of(validation.exact.begin(), validation.exact.end(),
                              [](const ExactRow& row) { return row.run.backend == Backend::kGl; });
  if (gl && validation.has_meshes) {
    out.push_back({"gl in image space is left out: it knows no meshes that move.", {}});
  }
  return out;
}

std::string render_validation(const Job& job, const Validation& validation) {
  std::string out = render_heading(job, static_cast<std::int64_t>(job.step_count())) +
                    device_lines(validation) + '\n';
  out += exact_table(job, validation) + image_table(validation);
  for (const Judgement& judgement : verdict(job, validation)) {
    out += wrapped(judgement.sentence, kTextColumns, 0) + '\n';
    for (const std::string& fault : judgement.faults) {
      out += "  " + wrapped(base::printable(fault), kTextColumns - 6, 6) + '\n';
    }
  }
  return out;
}

}  // namespace tocsin::app
