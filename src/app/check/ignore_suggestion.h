// The --ignore that takes away what drowns everything else: feet on a floor.
#pragma once

#include <span>
#include <string>

#include "app/check/job.h"
#include "io/report/episodes.h"

namespace tocsin::app {

/// Two lines for people if a few links on one object have most of the contacts, and there are
/// others: how many they have, and the options that leave them out. Empty otherwise.
std::string ignore_suggestion(const Job& job, std::span<const io::Episode> episodes);

}  // namespace tocsin::app
