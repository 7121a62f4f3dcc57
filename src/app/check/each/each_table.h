// The table of `tocsin check --each`: one row a take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/check/job.h"
#include "app/check/table.h"
#include "app/cli/options.h"

namespace tocsin::app {

/// What the table says of a take, whose job is gone by then.
struct EachRow {
  std::string file;
  bool refused = false;
  io::Tally tally;
  std::size_t episodes = 0;
  double seconds = 0.0;  ///< in which anything is touched
  double depth = 0.0;    ///< of the deepest episode, metres; as what follows, if there is one
  std::string deepest;   ///< the same for people
  std::string frames;    ///< of the first episode, as what follows; empty if there is none
  std::string first_touch;
  std::string link;
  std::string touched;
  std::string hash;
  std::string near;  ///< with --near and --nearest: render_near(), render_distances()
};

EachRow each_row(const Job& job, const Outcome& outcome, const TableWishes& wishes);

/// The table and its result in a sentence. `rows`: one a take, in their order.
std::string render_each(const std::vector<EachRow>& rows, const Environment& room,
                        const CheckOptions& options, const TableWishes& wishes);

}  // namespace tocsin::app
