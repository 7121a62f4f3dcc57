#include "app/cli/text_table.h"

#include <algorithm>
#include <utility>

#include "app/cli/words.h"
#include "base/json_text.h"

namespace tocsin::app {

TextTable::TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {
  std::vector<std::string> headings;
  for (const Column& column : columns_) headings.push_back(column.heading);
  rows_.push_back(std::move(headings));
}

void TextTable::add(std::vector<std::string> cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = shortened(base::printable(cells[i]), columns_[i].widest);
  }
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<int> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto blanks = static_cast<std::size_t>(widths[i] - display_width(row[i]));
      if (i > 0) line += "  ";
      if (columns_[i].align == Align::kRight) line.append(blanks, ' ');
      line += row[i];
      if (columns_[i].align == Align::kLeft) line.append(blanks, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace tocsin::app
