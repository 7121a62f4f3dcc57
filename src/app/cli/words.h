// Numbers and sentences for people.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tocsin::app {

/// 156080 -> "156,080".
std::string grouped(std::int64_t number);

/// count(1, "step") -> "1 step", count(1234, "step") -> "1,234 steps". `plural` defaults to an
/// added s.
std::string count_of(std::int64_t number, std::string_view singular, std::string_view plural = {});

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words);

/// A number of metres, seconds, ...: four significant digits, no trailing zeros, no exponent for
/// sizes that people use.
std::string brief(double number);

/// A number with this many decimals; never "-0.000".
std::string fixed(double number, int decimals);

/// A moment known to lie in a bracket, in seconds, with the digits that are known (at most
/// `decimals`): "1.0083 s" if both ends round to nearly the same, else "1.0083 to 1.0167 s".
std::string moment(const std::array<double, 2>& bracket, int decimals = 4);

/// "Joints     31 and 7 end sites\n": one fact under its label. Control characters become '?'.
std::string fact(std::string_view label, std::string_view text);

/// The extent along an axis: "0.5 to 2.25 m".
std::string extent(double low, double high, std::string_view unit);

/// Columns that a text takes on a terminal (UTF-8; wide characters count 2, combining ones 0).
int display_width(std::string_view text);

/// The text, cut in its middle to `width` columns with "…" where it was cut.
std::string shortened(std::string_view text, int width);

/// Shows a message on standard error: "tocsin check: warning: ...". Control characters become '?'.
void print_warning(std::string_view command, std::string_view message);
/// At most 20 of them, and how many more there are.
void print_warnings(std::string_view command, std::span<const std::string> warnings);
void print_note(std::string_view command, std::string_view message);
void print_error(std::string_view command, std::string_view message);

}  // namespace tocsin::app
