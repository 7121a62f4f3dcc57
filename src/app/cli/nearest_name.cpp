#include "app/cli/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tocsin::app {

int edits_between(std::string_view a, std::string_view b) {
  // Three rows of the table: edits from the first i letters of a to the first j of b.
  std::vector<int> before;
  std::vector<int> last;
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::move(last);
    last = row;
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, changed});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string nearest_name(std::string_view word, std::span<const std::string> names) {
  const auto letters = static_cast<int>(word.size()) -
                       static_cast<int>(std::min(word.find_first_not_of('-'), word.size()));
  const int most = std::max(1, letters / 3);
  std::string out;
  int least = most + 1;
  for (const std::string& name : names) {
    const int edits = edits_between(word, name);
    if (edits >= least) continue;
    least = edits;
    out = name;
  }
  return out;
}

}  // namespace tocsin::app
