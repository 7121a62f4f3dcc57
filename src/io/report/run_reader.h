// Reads a run line: the options and inputs of a check. Only for readers of reports and records.
#pragma once

#include <string>

#include "io/report/report.h"
#include "io/report/report_fields.h"

namespace tocsin::io {

/// A run line's values, and the `version` of the Tocsin that wrote it. Throws fields::Refused, with
/// the cause: a field that is missing or of another type; another format than tocsin.report.v1.
RunRecord read_run(const fields::OrderedJson& json, std::string& version);

}  // namespace tocsin::io
