// Everything: continuous collision detection, with proof, for motion-captured avatars.
#pragma once

#include "tocsin/active_pairs.h"      // IWYU pragma: export
#include "tocsin/avatar.h"            // IWYU pragma: export
#include "tocsin/binding.h"           // IWYU pragma: export
#include "tocsin/certify.h"           // IWYU pragma: export
#include "tocsin/check_spec.h"        // IWYU pragma: export
#include "tocsin/contact.h"           // IWYU pragma: export
#include "tocsin/crowd.h"             // IWYU pragma: export
#include "tocsin/detector.h"          // IWYU pragma: export
#include "tocsin/detector_options.h"  // IWYU pragma: export
#include "tocsin/devices.h"           // IWYU pragma: export
#include "tocsin/environment.h"       // IWYU pragma: export
#include "tocsin/io.h"                // IWYU pragma: export
#include "tocsin/link_pairs.h"        // IWYU pragma: export
#include "tocsin/live/lookahead.h"    // IWYU pragma: export
#include "tocsin/live_motion.h"       // IWYU pragma: export
#include "tocsin/member.h"            // IWYU pragma: export
#include "tocsin/motion.h"            // IWYU pragma: export
#include "tocsin/nearest.h"           // IWYU pragma: export
#include "tocsin/result.h"            // IWYU pragma: export
#include "tocsin/scene.h"             // IWYU pragma: export
#include "tocsin/scene_change.h"      // IWYU pragma: export
#include "tocsin/skeleton.h"          // IWYU pragma: export
#include "tocsin/step_budget.h"       // IWYU pragma: export
#include "tocsin/step_report.h"       // IWYU pragma: export
#include "tocsin/stream.h"            // IWYU pragma: export
#include "tocsin/time_line.h"         // IWYU pragma: export
#include "tocsin/types.h"             // IWYU pragma: export
#include "tocsin/version.h"           // IWYU pragma: export
