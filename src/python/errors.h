// Errors of the library as exceptions of Python.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "io/report/option_names.h"
#include "tocsin/result.h"

namespace tocsin::python {

/// The value of a result, for Python: an error becomes `tocsin.Error` with the same text.
template <class T>
T taken(Result<T>&& result) {
  return std::move(result).value();
}
inline void done(const Status& status) { static_cast<void>(status.value()); }

[[noreturn]] inline void refuse(ErrorCode code, std::string message) {
  throw Exception({code, std::move(message)});
}

/// "input", "usage", ...: the attribute `code` of tocsin.Error.
const char* name_of(ErrorCode code);

/// Warns (tocsin.InputWarning) of what was tolerated. Needs the interpreter's lock. Throws where a
/// filter of Python makes it an error.
void warn(std::span<const std::string> texts);

[[noreturn]] void refuse_name(std::string_view what, std::string_view found, std::string_view all);

/// The value of that name, as on the command line. Throws: an error (kUsage) that lists all names.
template <class Enum>
Enum named(std::string_view what, const std::string& text) {
  if (const auto value = io::value_named<Enum>(text)) return *value;
  refuse_name(what, text, io::all_names<Enum>());
}

}  // namespace tocsin::python
