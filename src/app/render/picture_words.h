// What a picture's legend, its captions and standard error say about it.
#pragma once

#include <string>
#include <vector>

#include "app/check/job.h"
#include "app/render/drawn_step.h"
#include "view/legend.h"
#include "view/sheet.h"

namespace tocsin::app {

/// "frames 105 to 106"; of several takes, whose steps join instants of a time line, "instants ...".
std::string step_text(const Job& job, const Step& step);

/// "right_forearm touches MusicStand at 3.5079 s", a line for every contact, the earliest first.
std::vector<std::string> contact_texts(const Job& job, const DrawnStep& drawn);

view::LegendText legend_of(const Job& job, const DrawnStep& drawn, const view::StepScene& scene,
                           bool with_scale);

/// Number, frames and first touch of an episode; its two sides.
view::Caption caption_of(const Job& job, const io::Episode& episode, std::size_t number);

}  // namespace tocsin::app
