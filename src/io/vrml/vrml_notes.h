// What reading a VRML file left out or took otherwise, counted by kind.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_scanner.h"

namespace tocsin::io {

/// Kinds of notes that are kept apart; a file could name any number of unknown node types.
inline constexpr std::size_t kMaxVrmlNotes = 32;

/// Each kind is a sentence that a number comes before: "3 Inline not followed".
class VrmlNotes {
 public:
  void add(const std::string& what, std::int64_t line) {
    const auto at = std::find_if(notes_.begin(), notes_.end(),
                                 [&](const Note& note) { return note.what == what; });
    if (at != notes_.end()) {
      ++at->count;
    } else if (notes_.size() < kMaxVrmlNotes) {
      notes_.push_back({what, 1, line});
    } else {
      ++others_;
    }
  }

  [[nodiscard]] std::vector<std::string> warnings(std::string_view file) const {
    std::vector<std::string> out;
    for (const Note& note : notes_) {
      out.push_back(base::input_error(file, note.line,
                                      fmt::format("{} {}, the first here", note.count, note.what))
                        .message);
    }
    if (others_ > 0) out.push_back(fmt::format("{}: {} more like these", file, others_));
    return out;
  }

 private:
  struct Note {
    std::string what;
    std::int64_t count = 0;
    std::int64_t line = 0;
  };
  std::vector<Note> notes_;
  std::int64_t others_ = 0;
};

}  // namespace tocsin::io
