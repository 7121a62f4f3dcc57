// A plan as comma-separated values.
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/quoted.h"
#include "base/text_file.h"
#include "base/text_scanner.h"
#include "io/robot/plan.h"
#include "io/shape/csv_cells.h"

namespace tocsin::io {
namespace {

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t comma = line.find(',');
    out.push_back(trimmed_cell(line.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

/// Reads the lines of a plan one after the other.
class PlanReader {
 public:
  PlanReader(const std::string& file, const Robot& robot) : robot_(robot) { table_.file = file; }

  Status read(std::string_view text) {
    if (text.starts_with(base::kByteOrderMark)) text.remove_prefix(base::kByteOrderMark.size());
    while (!text.empty()) {
      ++line_;
      const std::size_t end = text.find('\n');
      const std::string_view line = trimmed_cell(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (line.empty()) continue;
      const std::string fault = headed_ ? read_values(line) : read_header(line);
      if (!fault.empty()) return base::input_error(table_.file, line_, fault);
      headed_ = true;
    }
    if (!headed_) return base::file_error(table_.file, "is empty; expected time,JOINT,...");
    return Nothing{};
  }

  [[nodiscard]] const PlanTable& table() const { return table_; }

 private:
  std::string read_header(std::string_view line) {
    const auto cells = cells_of(line);
    if (cells.front() != "time") {
      return fmt::format("expected the header time,JOINT,..., found {}", base::in_quotes(line));
    }
    for (std::size_t i = 1; i < cells.size(); ++i) table_.names.emplace_back(cells[i]);
    const auto columns = plan_columns(robot_, table_.names, 2);
    return columns ? std::string() : columns.error().message;
  }

  [[nodiscard]] std::string column_name(std::size_t column) const {
    return fmt::format("column {} ({})", column + 1,
                       column == 0 ? "time" : base::escaped(table_.names[column - 1]));
  }

  std::string read_values(std::string_view line) {
    const auto cells = cells_of(line);
    if (cells.size() != table_.names.size() + 1) {
      return fmt::format("has {} values, the header has {} columns", cells.size(),
                         table_.names.size() + 1);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].empty()) return column_name(i) + ": is empty";
      const auto number = finite_cell(cells[i]);
      if (!number) {
        return fmt::format("{}: expected a finite number, found {}", column_name(i),
                           base::in_quotes(cells[i]));
      }
      (i == 0 ? table_.times : table_.values).push_back(*number);
    }
    table_.lines.push_back(line_);
    return {};
  }

  const Robot& robot_;
  PlanTable table_;
  std::int64_t line_ = 0;
  bool headed_ = false;
};

}  // namespace

Result<Motion> parse_plan(std::string_view text, const std::string& file, const Robot& robot,
                          UpAxis up) {
  PlanReader reader(file, robot);
  if (auto read = reader.read(text); !read) return read.error();
  return plan_motion(robot, reader.table(), up);
}

}  // namespace tocsin::io
