// The joints that an ASF's bones become.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/acclaim/asf_skeleton.h"
#include "io/unit.h"
#include "tocsin/io.h"
#include "tocsin/skeleton.h"

namespace tocsin::io {

struct AmcJoints {
  Skeleton skeleton;             ///< metres, Y up
  std::vector<Transform> rest;   ///< the same, roots still in the file's axes
  std::vector<std::int32_t> of;  ///< of[b]: the joint at the start of bone b
  /// at_end[b]: the joints at the end of bone b; only for bones whose length is a dof.
  std::vector<std::vector<std::int32_t>> at_end;
  UnitChoice unit;
  std::string warning;  ///< about the unit; or empty
};

/// Makes them, see parse_amc() for `unit`, too. Errors (kInput, naming the ASF): more than 16,384
/// joints, no unit fits; (kUsage): a senseless unit.
Result<AmcJoints> make_amc_joints(const AsfSkeleton& asf, const MotionOptions& options,
                                  const UnitChoice* unit = nullptr);

}  // namespace tocsin::io
