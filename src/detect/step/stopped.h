// What is thrown, and caught within the floor, where a step is given up.
#pragma once

namespace tocsin::detect {

struct Stopped {};

}  // namespace tocsin::detect
