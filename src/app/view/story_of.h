// From a report, or a check, to what a window plays.
#pragma once

#include <memory>

#include "app/export/shown_report.h"
#include "tocsin/result.h"
#include "view/sight.h"
#include "view/window/story.h"

namespace tocsin::app {

/// `sight`: of the job's room; null where the room changed. Errors: kUsage: a single frame, which
/// holds no step; of a room that changed, as SceneReplay.
Result<std::shared_ptr<const view::Story>> story_of(std::shared_ptr<const ShownReport> shown,
                                                    std::shared_ptr<const view::Sight> sight);

}  // namespace tocsin::app
