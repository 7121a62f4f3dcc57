// Columns that line up.
#pragma once

#include <string>
#include <vector>

namespace tocsin::app {

enum class Align { kLeft, kRight };

/// Columns of a name, in tables that have other columns beside it.
inline constexpr int kWidestName = 32;

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
