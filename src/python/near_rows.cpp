#include "python/near_rows.h"

#include <cstdint>
#include <vector>

#include "python/arrays.h"
#include "python/errors.h"
#include "python/without_gil.h"

namespace tocsin::python {
namespace {

/// LinkDistance. A feature that there is not is -1.
struct NearRow {
  double distance = 0.0;
  double own[3] = {0.0, 0.0, 0.0};
  double point[3] = {0.0, 0.0, 0.0};
  std::int32_t link = 0;
  std::int32_t object = 0;
  std::int32_t triangle = 0;
  std::int32_t link_feature = -1;
  bool inside = false;
  std::uint8_t reserved[7] = {};  ///< so that equal rows are equal bytes
};

NearRow near_row(const LinkDistance& found) {
  NearRow row;
  row.distance = found.distance;
  row.own[0] = found.own.x;
  row.own[1] = found.own.y;
  row.own[2] = found.own.z;
  row.point[0] = found.point.x;
  row.point[1] = found.point.y;
  row.point[2] = found.point.z;
  row.link = found.link;
  row.object = static_cast<std::int32_t>(found.nearest.object);
  row.triangle = static_cast<std::int32_t>(found.nearest.triangle);
  if (found.link_feature) row.link_feature = static_cast<std::int32_t>(*found.link_feature);
  row.inside = found.inside;
  return row;
}

}  // namespace

void register_near_rows() {
  PYBIND11_NUMPY_DTYPE(NearRow, distance, own, point, link, object, triangle, link_feature, inside);
}

py::array near_array(const Detector& detector, const Member& member, const Step& step, double time,
                     double within) {
  const auto found = interruptible([&](const std::stop_token& stop) {
    return taken(detector.nearest(member, step, time, within, stop));
  });
  std::vector<NearRow> rows;
  rows.reserve(found.size());
  for (const LinkDistance& one : found) rows.push_back(near_row(one));
  return moved(std::move(rows));
}

}  // namespace tocsin::python
