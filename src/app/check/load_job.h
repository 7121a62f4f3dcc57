// The way from a check's options and files to a job.
#pragma once

#include "app/check/job.h"
#include "app/cli/options.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Reads the inputs and resolves every option. Errors: kInput for a refused input, kUsage for an
/// option that does not fit the inputs (frames beyond the end, an output that is an input, ...).
Result<Job> load_job(const CheckOptions& options);

/// What is known before anything is read: a backend that does not work here.
Status check_backend(const CheckOptions& options);

}  // namespace tocsin::app
