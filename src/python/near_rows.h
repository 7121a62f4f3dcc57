// What is near an avatar, as rows of one structured array.
#pragma once

#include <pybind11/numpy.h>

#include "tocsin/detector.h"

namespace tocsin::python {

/// To be called once, before any array of rows is made.
void register_near_rows();

/// Detector::nearest. Throws its errors.
pybind11::array near_array(const Detector& detector, const Member& member, const Step& step,
                           double time, double within);

}  // namespace tocsin::python
