// How many sessions and connections the limit of open files allows.
#pragma once

#include <cstddef>

#include "service/rpc/connection_counts.h"
#include "tocsin/result.h"

namespace tocsin::service {

struct DescriptorPlan {
  std::size_t sessions = 0;
  ConnectionLimits connections;
};

/// Descriptors: one for a session's connection, and those of its record's files.
///
/// `limit`: of the process (RLIMIT_NOFILE). `sessions`: wanted; fewer are planned if they do not
/// fit, unless the operator gave the number (`given`). `others`: descriptors for something else.
/// Errors (kResource): the numbers.
Result<DescriptorPlan> plan_descriptors(std::size_t limit, std::size_t sessions, bool given,
                                        std::size_t record_files, std::size_t others = 0);

}  // namespace tocsin::service
