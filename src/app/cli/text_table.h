// Tables with aligned columns.
#pragma once

#include <string>
#include <vector>

namespace tocsin::app {

enum class Align { kLeft, kRight };

/// Columns of a name beside several other cells: so a row fits a terminal of 80 to 100. Longer ones
/// are cut in their middle.
inline constexpr int kWidestName = 32;
/// The same in lists with few other columns.
inline constexpr int kWidestListedName = 40;

/// Rows of cells under a heading, two blanks between columns, no blanks at line ends.
class TextTable {
 public:
  struct Column {
    std::string heading;
    Align align = Align::kLeft;
    int widest = 1000;  ///< longer cells are cut in their middle
  };

  explicit TextTable(std::vector<Column> columns);
  /// One cell a column; control characters become '?'.
  void add(std::vector<std::string> cells);
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tocsin::app
