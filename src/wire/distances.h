// What is near an avatar, in reports on the wire.
#pragma once

#include <string>

#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::wire {

void put_distances(const TrackReport& report, v1::StepReport& out);
/// Precondition: problem_of_distances() is empty.
void take_distances(const v1::StepReport& report, TrackReport& out);
/// Which of them no server sends, and why; empty: none.
std::string problem_of_distances(const v1::StepReport& report);

}  // namespace tocsin::wire
