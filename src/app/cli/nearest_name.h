// "Did you mean": the name that a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tocsin::app {

/// How many letters must be put in, left out, changed, or exchanged with the next to make one word
/// of the other (Damerau and Levenshtein, no letter touched twice).
int edits_between(std::string_view a, std::string_view b);

/// The name that is the fewest edits away, the first of equals; empty if that is more than a third
/// of the word's letters, and more than one.
std::string nearest_name(std::string_view word, std::span<const std::string> names);

}  // namespace tocsin::app
