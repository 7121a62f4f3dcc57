#include "python/errors.h"

#include <fmt/format.h>

#include <exception>

#include "base/json_text.h"
#include "python/bindings.h"

namespace tocsin::python {
namespace {

// Of the interpreter, to its end.
PyObject* error_class = nullptr;
PyObject* warning_class = nullptr;

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Exception& exception) {
    const Error& error = exception.error();
    const py::object value = py::reinterpret_borrow<py::object>(error_class)(error.message);
    value.attr("code") = name_of(error.code);
    PyErr_SetObject(error_class, value.ptr());
  }
}

constexpr const char* kErrorDoc =
    "What Tocsin refuses or cannot do. The text is that of the command line.\n\n"
    "code: 'usage' (a call that makes no sense), 'unavailable' (a backend that does not work\n"
    "here), 'input' (an input was refused: the text names file, line or frame, and cause),\n"
    "'resource' (disk, memory, device) or 'cancelled'.";

constexpr const char* kWarningDoc = "What was tolerated in an input, with file and line.";

}  // namespace

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return "usage";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kInput:
      return "input";
    case ErrorCode::kResource:
      return "resource";
    case ErrorCode::kCancelled:
      break;
  }
  return "cancelled";
}

void refuse_name(std::string_view what, std::string_view found, std::string_view all) {
  refuse(ErrorCode::kUsage, fmt::format("{}: expected one of {}, found \"{}\"", what, all,
                                        base::printable(std::string(found))));
}

void warn(std::span<const std::string> texts) {
  for (const std::string& text : texts) {
    if (PyErr_WarnEx(warning_class, text.c_str(), 1) != 0) throw py::error_already_set();
  }
}

void bind_errors(py::module_& m) {
  error_class = PyErr_NewExceptionWithDoc("tocsin.Error", kErrorDoc, PyExc_Exception, nullptr);
  if (error_class == nullptr) throw py::error_already_set();
  py::setattr(error_class, "code", py::str("input"));
  m.add_object("Error", error_class);
  warning_class =
      PyErr_NewExceptionWithDoc("tocsin.InputWarning", kWarningDoc, PyExc_UserWarning, nullptr);
  if (warning_class == nullptr) throw py::error_already_set();
  m.add_object("InputWarning", warning_class);
  py::register_exception_translator(translate);
}

}  // namespace tocsin::python
