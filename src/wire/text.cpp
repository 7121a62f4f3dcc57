#include "wire/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/quoted.h"

namespace tocsin::wire {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

void put_text(std::string_view text, std::string& out) {
  if (is_ascii(text)) {
    out.assign(text);
  } else {
    out = base::valid_utf8(text);
  }
}

std::string text_problem(std::string_view text, std::size_t longest) {
  if (text.size() > longest) {
    return fmt::format("has {} bytes, may have {}", text.size(), longest);
  }
  if (!is_ascii(text) && base::valid_utf8(text) != text) {
    return fmt::format("is no UTF-8: {}", base::in_quotes(text));
  }
  return {};
}

std::string label_problem(std::string_view text, std::size_t longest) {
  std::string problem = text_problem(text, longest);
  if (problem.empty() && base::printable(text) != text) {
    problem = fmt::format("has a control character: {}", base::in_quotes(text));
  }
  if (problem.empty() && text.find_first_of("\n\t") != std::string_view::npos) {
    problem = fmt::format("has more than one line, or a tabulator: {}", base::in_quotes(text));
  }
  return problem;
}

}  // namespace tocsin::wire
