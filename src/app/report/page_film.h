// The motion of a report as a page draws it: fine where something is touched.
#pragma once

#include <string>
#include <vector>

#include "app/export/shown_report.h"
#include "view/film/film.h"

namespace tocsin::app {

struct PageFilm {
  view::Film film;                    ///< with its room
  std::vector<std::string> left_out;  ///< sentences
  bool thinned =
      false;  ///< poses were left out: how far drawn links are from true ones is not known
  /// How far links' ends are drawn from where the proved motion has them, metres, at the middles
  /// between samples: in steps with a contact, and in all others.
  double in_contact = 0.0;
  double elsewhere = 0.0;
};

/// Samples a report's steps so finely that what is drawn is within a fraction of a millimetre of
/// the proved motion, as far as a page holds the poses. Precondition: its room did not change.
PageFilm make_page_film(const ShownReport& shown);

/// The triangles that its contacts name, in the environment.
std::vector<std::uint32_t> touched_triangles(const ShownReport& shown);

}  // namespace tocsin::app
