#include "app/selftest/selftest_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "app/selftest/selftest_cases.h"

namespace tocsin::app {
namespace {

using selftest::Answer;
using selftest::CaseResult;
using selftest::Verdict;

/// Lines of cases that a reader gets without asking for all.
constexpr std::size_t kMostFindings = 10;

std::vector<std::string> findings(const SelftestReport& r) {
  std::vector<std::string> out;
  for (const CaseResult& c : r.cases) {
    const std::string of = fmt::format("case {}, {}: ", c.number, c.name);
    for (const std::string& refuted : c.oracle.refutations) {
      out.push_back(of + "the oracle refutes it: " + refuted);
    }
    for (const Answer& a : c.answers) {
      if (a.verdict == Verdict::kDiffers) {
        out.push_back(of + fmt::format("{} of {} answer otherwise by {} (hash {})", a.differing,
                                       count_of(static_cast<std::int64_t>(c.steps), "step"), a.way,
                                       a.hash.empty() ? "of a part" : a.hash));
      } else if (a.verdict == Verdict::kFailed) {
        out.push_back(of + fmt::format("{} failed: {}", a.way, a.note));
      }
    }
  }
  return out;
}

/// What went wrong, a line each.
std::string findings_text(const SelftestReport& r, bool verbose) {
  std::string out;
  const std::vector<std::string> lines = findings(r);
  const std::size_t shown = verbose ? lines.size() : std::min(lines.size(), kMostFindings);
  for (std::size_t i = 0; i < shown; ++i) out += lines[i] + "\n";
  if (shown < lines.size()) {
    out += fmt::format("{} more of these: --verbose\n",
                       grouped(static_cast<std::int64_t>(lines.size() - shown)));
  }
  for (const WrittenCase& w : r.written) {
    out += fmt::format("Run it alone: sh {}/run.sh ({}, {}, {}; {})\n", w.folder, w.way,
                       count_of(static_cast<std::int64_t>(w.avatars), "avatar"),
                       count_of(static_cast<std::int64_t>(w.triangles), "triangle"), w.name);
  }
  for (const std::string& problem : r.problems) out += "not measured: " + problem + "\n";
  return out;
}

std::string no_time_text(const std::vector<std::size_t>& sizes) {
  if (sizes.empty()) return {};
  std::vector<std::string> words;
  for (const std::size_t n : sizes) words.push_back(grouped(static_cast<std::int64_t>(n)));
  return fmt::format("  not measured, the time was up: {} avatars\n", listed(words));
}

std::string a_second(double us) {
  return us > 0.0 ? grouped(static_cast<std::int64_t>(1e6 / us)) : "-";
}

std::string cpu_text(const selftest::CarriedCpu& cpu) {
  TextTable table(
      {{"  Avatars", Align::kRight}, {"steps/s", Align::kRight}, {"us/step", Align::kRight}});
  for (const auto& row : cpu.rows) {
    table.add({grouped(static_cast<std::int64_t>(row.avatars)), a_second(row.us.median),
               fixed(row.us.median, 2)});
  }
  return "\nCPU, all threads: avatars of 16 links, each alone, in a made house of 156,000 "
         "triangles\n" +
         table.text() + no_time_text(cpu.no_time);
}

std::string cuda_parts_text(const selftest::CarriedCuda& cuda) {
  std::vector<TextTable::Column> columns{{"  Avatars", Align::kRight}};
  for (const char* name : selftest::kCudaPartNames) columns.push_back({name, Align::kRight});
  TextTable table(std::move(columns));
  for (const selftest::CudaRow& row : cuda.rows) {
    std::vector<std::string> cells{grouped(static_cast<std::int64_t>(row.avatars))};
    for (const double us : row.part_us) cells.push_back(fixed(us, 3));
    table.add(std::move(cells));
  }
  const std::string stages = "  microseconds an avatar-step, by stage";
  if (cuda.emulated) return stages + "\n" + table.text();
  std::vector<std::string> shares{"of ceiling"};
  for (std::size_t p = 0; p < selftest::kCudaParts; ++p) {
    const double share = selftest::share_of_ceiling(cuda, static_cast<selftest::CudaPart>(p));
    shares.push_back(share > 0.0 ? fmt::format("{:.0f} %", 100.0 * share) : "-");
  }
  table.add(std::move(shares));
  return stages + ", and the last row's share of the ceilings below\n" + table.text();
}

std::string cuda_text(const selftest::CarriedCuda& cuda) {
  TextTable table({{"  Avatars", Align::kRight},
                   {"steps/s", Align::kRight},
                   {"us/step", Align::kRight},
                   {"CPU steps/s", Align::kRight},
                   {"times CPU", Align::kRight},
                   {"bytes up", Align::kRight},
                   {"down", Align::kRight},
                   {"contacts"}});
  for (const selftest::CudaRow& row : cuda.rows) {
    table.add({grouped(static_cast<std::int64_t>(row.avatars)), a_second(row.cuda_us.median),
               fixed(row.cuda_us.median, 3), a_second(row.cpu_us.median),
               fixed(row.cpu_us.median / row.cuda_us.median, 2),
               fixed(static_cast<double>(row.uploaded) / row.steps(), 0),
               fixed(static_cast<double>(row.downloaded) / row.steps(), 0),
               row.equal ? "the CPU's" : "DIFFER"});
  }
  const selftest::CudaCeilings& c = cuda.ceilings;
  return fmt::format("\nCUDA, {}{}: the same avatars, copies included\n", cuda.device,
                     cuda.emulated ? " (these figures say nothing about a device)" : "") +
         table.text() + no_time_text(cuda.no_time) + cuda_parts_text(cuda) +
         fmt::format(
             "  ceilings{}: memory {:.1f} GB/s, up {:.1f} GB/s, down {:.1f} GB/s, FP64 {:.1f} G/s, "
             "fused {:.1f} G/s\n",
             cuda.emulated ? " of the emulation, not of a device" : "", 1e-9 * c.bytes, 1e-9 * c.up,
             1e-9 * c.down, 1e-9 * c.operations, 1e-9 * c.fused);
}

/// Why it took longer than it was asked to; empty: it did not. A fifth is what a row that was
/// begun may go beyond.
std::string overrun_text(const SelftestReport& r) {
  if (r.used <= 1.2 * r.seconds || r.cases.empty() || !r.finished) return {};
  return fmt::format(
      "Asked for {} s: less than the least that is always done, case {}, which took the CPU {:.1f} "
      "s, and of each backend a row of one avatar, with its room.\n",
      brief(r.seconds), r.cases.front().number, r.cases.front().seconds);
}

/// A time with the unit that fits.
std::string time_text(const selftest::Measured& m) {
  if (m.us.empty()) return m.skipped.empty() ? "-" : m.skipped;
  const double us = m.figures().median;
  if (us < 1e3) return fmt::format("{:.1f} us", us);
  return us < 1e6 ? fmt::format("{:.2f} ms", 1e-3 * us) : fmt::format("{:.2f} s", 1e-6 * us);
}

std::string gl_text(const selftest::CarriedGl& gl) {
  TextTable table({{"  Table 1 of paper 004"}, {"here", Align::kRight}, {"2004", Align::kRight}});
  std::vector<selftest::PaperRow> rows = selftest::paper_rows(gl.kinematics);
  std::ranges::copy(selftest::paper_rows(gl.table.rows), std::back_inserter(rows));
  for (const selftest::PaperRow& row : rows) {
    table.add({std::string("  ") + row.text, time_text(*row.ours), row.paper});
  }
  for (const selftest::WayRows& way : gl.table.ways) {
    table.add(
        {"  Interference detection, " + way.way.text(), time_text(way.interference), "600 us"});
    table.add({"  Backtracking step, " + way.way.text(), time_text(way.backtracking), "500 us"});
  }
  for (const selftest::FrameRows& row : gl.frames.ways) {
    table.add({"  Whole frame, certified, " + row.way.text(), time_text(row.certified), ""});
    table.add({"  Whole frame, image space, " + row.way.text(), time_text(row.image), "10-30 ms"});
  }
  for (const selftest::CrowdRows& row : gl.crowd) {
    table.add({fmt::format("  Frame of {}, certified, flags",
                           count_of(static_cast<std::int64_t>(row.avatars), "avatar")),
               time_text(row.certified), ""});
  }
  return fmt::format("\nOpenGL, {}: one avatar among furniture; medians\n", gl.device) +
         table.text() + (gl.equal() ? "" : "  The answers are not the CPU's: DIFFER\n");
}

}  // namespace

std::string selftest_text(const SelftestReport& r, bool verbose) {
  std::string out = fact("Machine", r.machine);
  for (const std::string& device : r.devices) out += fact("Tested", device);
  for (const MissingBackend& m : r.missing) out += fact("Not here", m.name + ": " + m.reason);
  out += "\n" + kinds_text(r) + coverage_text(r);
  if (verbose) out += "\n" + cases_text(r);
  out += findings_text(r, verbose);
  if (r.cuda) out += cuda_text(*r.cuda);
  if (r.gl) out += gl_text(*r.gl);
  if (r.cpu) out += cpu_text(*r.cpu);
  out += fmt::format("\n{} in {:.1f} s.\n",
                     r.differs()   ? "SOMETHING DIFFERS (see above)"
                     : !r.finished ? "INTERRUPTED"
                     : r.holds()   ? "Everything is as it must be"
                                   : "SOMETHING FAILED (see above)",
                     r.used);
  return out + overrun_text(r);
}

}  // namespace tocsin::app
