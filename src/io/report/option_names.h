// The names of option values on the command line and in reports.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tocsin/contact.h"
#include "tocsin/detector_options.h"
#include "tocsin/motion.h"
#include "tocsin/time_line.h"
#include "tocsin/types.h"

namespace tocsin::io {

std::string_view name_of(UpAxis value);         ///< "y", "z", "x"
std::string_view name_of(InBetween value);      ///< "screw", "translate_rotate"
std::string_view name_of(Contacts value);       ///< "pairs", "first"
std::string_view name_of(Backend value);        ///< "auto", "cpu", "gl", "cuda"
std::string_view name_of(GlMethod value);       ///< "flags", "query"
std::string_view name_of(GlSurface value);      ///< "skin", "paper"
std::string_view name_of(ContactStatus value);  ///< "overlap", "hit", "graze"
std::string_view name_of(Absence value);        ///< "gone", "stays"

/// The value of that name; none if there is no such name.
template <class Enum>
std::optional<Enum> value_named(std::string_view name);

/// All names of an enum, for messages: "y, z, x".
template <class Enum>
std::string all_names();

}  // namespace tocsin::io
