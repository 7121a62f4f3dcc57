// The numbers of a report as data of a page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/export/shown_report.h"

namespace tocsin::app {

/// Contact lines that a page holds, some 200 bytes each; of more, those that begin an episode.
inline constexpr std::size_t kMostPageContacts = 20'000;

struct PageData {
  std::string json;
  std::vector<std::string> left_out;  ///< sentences
};

/// Numbers are the report's, digit by digit. Lengths in metres, times in seconds since frame 0.
/// `notes`: sentences to show about the page. `index`: the page of all takes; empty: there is none.
PageData page_data(const ShownReport& shown, const std::vector<std::string>& notes,
                   const std::string& index);

/// What a line of an index says of a report.
struct PageRow {
  std::string name;    ///< of its takes
  std::string report;  ///< its file
  std::string page;    ///< of its page, relative to the index
};
std::string index_row(const ShownReport& shown, const PageRow& row);

/// "a and b": the names of its takes.
std::string takes_text(const ShownReport& shown);

}  // namespace tocsin::app
