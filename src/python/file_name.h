// Names of files.
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>

namespace tocsin::python {

/// Of a str or an os.PathLike. Throws TypeError.
std::filesystem::path file_name(const pybind11::handle& file);

}  // namespace tocsin::python
