// `tocsin render --sheet`: all episodes of contact as small pictures.
#pragma once

#include "app/check/job.h"
#include "app/render/drawn_step.h"
#include "app/render/render_options.h"
#include "gpu/gl/context/device_thread.h"
#include "view/image.h"

namespace tocsin::app {

/// A sheet, and what standard output says of it.
struct SheetPicture {
  view::Image image;
  std::string shows;  ///< "episodes 1 to 15 of 57; --page 2 has the next"
};

/// Draws a page of the episodes. Where nothing is touched it has one picture, of the first step.
/// Errors: kUsage: a page that there is not; of draw_step().
Result<SheetPicture> draw_sheet(const RenderOptions& options, const Job& job,
                                const Detector& detector, const Findings& findings,
                                gl::DeviceThread& device);

}  // namespace tocsin::app
