// Contacts as rows of one structured array.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <limits>
#include <span>

#include "tocsin/contact.h"
#include "tocsin/motion.h"
#include "tocsin/step_report.h"

namespace tocsin::python {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// A contact. What there is not is -1 or a NaN.
struct ContactRow {
  std::int64_t step = 0;
  std::int64_t frames[2] = {0, 0};
  double seconds[2] = {0.0, 0.0};
  double toc[2] = {0.0, 0.0};
  double touching[2] = {kNoNumber, kNoNumber};
  double point[3] = {0.0, 0.0, 0.0};
  double normal[3] = {kNoNumber, kNoNumber, kNoNumber};
  double depth = kNoNumber;
  std::int32_t avatar = 0;
  std::int32_t link = 0;
  std::int32_t object = -1;
  std::int32_t triangle = -1;
  std::int32_t other_avatar = -1;
  std::int32_t other_link = -1;
  std::int32_t link_feature = -1;
  std::int32_t other_feature = -1;
  std::uint8_t status = 0;
  bool inside = false;
  bool limited = false;
  std::uint8_t reserved[5] = {};  ///< so that equal rows are equal bytes
};

ContactRow row_of(const Step& step, const Contact& contact, std::int32_t avatar);

/// To be called once, before any array of rows is made.
void register_contact_rows();

pybind11::array contact_array(const Step& step, std::span<const Contact> contacts,
                              std::int32_t avatar);

}  // namespace tocsin::python
