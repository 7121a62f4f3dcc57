#include "app/export/export.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "app/check/csv.h"
#include "app/cli/file_kind.h"
#include "app/cli/saved.h"
#include "app/cli/words.h"
#include "app/export/shown_report.h"
#include "view/film/film_glb.h"
#include "view/film/film_usda.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kExportCommand = "tocsin export";

std::string csv_of(const ShownReport& shown) {
  std::string out = csv_heading();
  const auto take = [&shown](std::int32_t avatar) {
    return avatar < 0 ? std::string() : io::told_take(shown.report.run, avatar);
  };
  for (const io::ToldEpisode& episode : shown.told.episodes) {
    const io::ToldPair& pair = episode.pair();
    out += csv_row(episode, take(pair.avatar), take(pair.other_avatar));
  }
  return out;
}

std::string film_words(const view::Film& film) {
  std::int64_t samples = 0;
  for (const view::FilmFigure& figure : film.figures) {
    samples += static_cast<std::int64_t>(figure.seconds.size());
  }
  std::string out =
      fmt::format("{}, {}, {}", count_of(static_cast<std::int64_t>(film.figures.size()), "figure"),
                  count_of(samples, "pose"),
                  count_of(static_cast<std::int64_t>(film.marks.size()), "episode of contact",
                           "episodes of contact"));
  if (film.room) {
    const auto objects = static_cast<std::int64_t>(film.room->objects().size());
    out += fmt::format(", {} of the room", count_of(objects, "object"));
  }
  return out;
}

Status write_film(const ExportOptions& options, const ShownReport& shown, std::string& what) {
  if (shown.job.scene) {
    return Error{ErrorCode::kInput,
                 fmt::format("{}: its room changed while it was checked, which no .glb or .usda "
                             "shows yet; .csv does",
                             options.report)};
  }
  view::Film film =
      make_film(shown, [&options](std::size_t, std::size_t) { return options.substeps; });
  if (options.room) film.room = shown.job.environment;
  what = film_words(film);
  return has_extension(options.output, {".glb"}) ? view::write_film_glb(film, options.output)
                                                 : view::write_film_usda(film, options.output);
}

}  // namespace

ExitStatus run_export(const ExportOptions& options) {
  const auto shown = load_shown(options.report, 0);
  if (!shown) return report_failure(kExportCommand, shown.error());
  print_warnings(kExportCommand, shown->report.warnings);
  if (auto kept = refuse_shown_inputs("OUT", options.output, *shown); !kept) {
    return report_failure(kExportCommand, kept.error());
  }
  if (has_extension(options.output, {".csv"})) {
    return save_text_and_tell(kExportCommand, csv_of(*shown), options.output);
  }
  std::string what;
  if (auto written = write_film(options, *shown, what); !written) {
    return report_failure(kExportCommand, written.error());
  }
  return tell_saved(kExportCommand, options.output, what);
}

}  // namespace tocsin::app
