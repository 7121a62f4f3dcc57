#include "app/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/saved.h"
#include "app/cli/words.h"
#include "app/export/shown_report.h"
#include "app/report/page_cameras.h"
#include "app/report/page_data.h"
#include "app/report/page_film.h"
#include "base/json_text.h"
#include "base/output_file.h"
#include "view/report/page.h"
#include "view/report/page_scene.h"

namespace tocsin::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReportCommand = "tocsin report";

/// Rounded up to hundredths.
std::string millimetres(double metres) { return fixed(std::ceil(1e5 * metres) / 100.0, 2); }

/// One object of two.
std::string with_cameras(std::string scene, const std::string& cameras) {
  scene.back() = ',';
  return scene + cameras.substr(1);
}

/// A page of one report, and what standard error says about it.
struct MadePage {
  std::string text;
  std::vector<std::string> notes;
};

MadePage make_page(const ShownReport& shown, const ReportOptions& options,
                   const std::string& index) {
  MadePage out;
  std::string scene;
  if (!options.scene) {
    out.notes.emplace_back("Without a 3D view (--no-3d).");
  } else if (shown.job.scene) {
    out.notes.emplace_back(
        "Without a 3D view: the room changed while it was checked, which no page shows yet.");
  } else if (!view::has_three()) {
    out.notes.push_back(fmt::format(
        "Without a 3D view: three.js was not there when this Tocsin was built (Debian: {}).",
        view::kThreePackage));
  } else {
    const PageFilm film = make_page_film(shown);
    const auto drawn = view::page_scene(film.film, touched_triangles(shown));
    scene = with_cameras(drawn.json, page_cameras(shown));
    out.notes = film.left_out;
    out.notes.insert(out.notes.end(), drawn.left_out.begin(), drawn.left_out.end());
    if (shown.report.run.options.sampled) {
      out.notes.emplace_back("Only the recorded poses were checked, and only they are drawn.");
    } else if (!film.thinned) {
      out.notes.push_back(fmt::format(
          "The 3D view draws the proved motion to {} mm in steps with a contact, and to {} mm in "
          "others.",
          millimetres(film.in_contact + drawn.rounding),
          millimetres(film.elsewhere + drawn.rounding)));
    }
  }
  PageData data = page_data(shown, out.notes, index);
  out.notes.insert(out.notes.end(), data.left_out.begin(), data.left_out.end());
  out.text = view::report_page(takes_text(shown), data.json, scene);
  return out;
}

Status write_file(base::OutputFile& out, const std::string& file, const std::string& text) {
  if (Status opened = out.open(file); !opened) return opened;
  return out.write(text) ? Status(Nothing{}) : Status(out.error());
}

void tell_notes(const std::string& file, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    print_note(kReportCommand, fmt::format("{}: {}", file, note));
  }
}

Status write_one(const ReportOptions& options) {
  const auto shown = load_shown(options.reports.front(), 0);
  if (!shown) return shown.error();
  print_warnings(kReportCommand, shown->report.warnings);
  if (auto kept = refuse_shown_inputs("--html", options.html, *shown); !kept) return kept;
  const MadePage page = make_page(*shown, options, {});
  base::OutputFile out;
  if (Status written = write_file(out, options.html, page.text); !written) return written;
  if (Status finished = out.finish(); !finished) return finished;
  tell_notes(options.reports.front(), page.notes);
  return Nothing{};
}

/// The pages of a shoot: "index.html" has "index.TAKE.html" beside it. No two have one name.
std::vector<std::string> page_names(const ReportOptions& options) {
  std::vector<std::string> out;
  std::set<std::string> taken;
  for (const std::string& report : options.reports) {
    std::string stem = fs::path(report).stem().string();
    for (char& c : stem) {  // it is part of a link
      const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                         (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
      if (!plain) c = '_';
    }
    std::string own = stem;
    for (int n = 2; !taken.insert(own).second; ++n) own = fmt::format("{}-{}", stem, n);
    out.push_back(fmt::format("{}.{}.html", fs::path(options.html).stem().string(), own));
  }
  return out;
}

Status write_many(const ReportOptions& options) {
  const std::vector<std::string> names = page_names(options);
  std::vector<base::OutputFile> files(options.reports.size());
  std::string rows;
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;
  for (std::size_t i = 0; i < options.reports.size(); ++i) {
    const auto shown = load_shown(options.reports[i], 0);
    if (!shown) return shown.error();
    print_warnings(kReportCommand, shown->report.warnings);
    const std::string file = (fs::path(options.html).parent_path() / names[i]).string();
    for (const std::string& output : {options.html, file}) {
      if (auto kept = refuse_shown_inputs("--html", output, *shown); !kept) return kept;
    }
    MadePage page = make_page(*shown, options, fs::path(options.html).filename().string());
    if (Status written = write_file(files[i], file, page.text); !written) return written;
    notes.emplace_back(options.reports[i], std::move(page.notes));
    rows +=
        (rows.empty() ? "" : ",") + index_row(*shown, {takes_text(*shown), shown->file, names[i]});
  }
  base::OutputFile index;
  const std::string text =
      view::index_page(fs::path(options.html).stem().string(), "{\"takes\":[" + rows + "]}");
  if (Status written = write_file(index, options.html, text); !written) return written;
  for (base::OutputFile& file : files) {
    if (Status finished = file.finish(); !finished) return finished;
  }
  if (Status finished = index.finish(); !finished) return finished;
  for (const auto& [report, said] : notes) tell_notes(report, said);
  return Nothing{};
}

}  // namespace

ExitStatus run_report(const ReportOptions& options) {
  const bool many = options.reports.size() > 1;
  const Status done = many ? write_many(options) : write_one(options);
  if (!done) return report_failure(kReportCommand, done.error());
  const auto count = static_cast<std::int64_t>(options.reports.size());
  return tell_saved(
      kReportCommand, options.html,
      many ? fmt::format("an index of {}, each a page beside it", count_of(count, "report"))
           : "a page of one report");
}

}  // namespace tocsin::app
