// The rows of the main paper's Table 1, here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gl/context/device_thread.h"
#include "selftest/measure/gl_kinematics.h"
#include "selftest/measure/gl_measured.h"
#include "selftest/measure/gl_scene.h"
#include "tocsin/detector.h"

namespace tocsin::selftest {

/// A way to ask a device.
struct GlWay {
  int width = 64;  ///< of a view, pixels
  int height = 64;
  GlMethod method = GlMethod::kFlags;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] DetectorOptions options() const;
};

/// What does not depend on the way to ask. Microseconds.
struct TableRows {
  Measured boxes;      ///< hierarchy over the links' boxes against the room's tree, all links
  Measured surface;    ///< the paper's swept surface, one link
  Measured skins;      ///< skins of all pieces of one link, which is what is drawn
  Measured clusters;   ///< boxes of these skins against the clusters, one link
  Measured rendering;  ///< the room, 1024 x 768
  std::size_t room_clusters = 0;
};

/// What does: one link's questions.
struct WayRows {
  GlWay way;
  Measured interference;  ///< all pieces against all clusters whose boxes they meet, all views
  Measured backtracking;  ///< the first slab that stayed, cut in 8, skins included
  double pairs = 0.0;     ///< (slab, cluster) pairs of a link, interference
  double kept = 0.0;      ///< of these
  /// Over all links looked at: the same pairs stay as with the first way of this size.
  bool same_as_other_method = true;
  std::optional<Step> differing;  ///< the first in which they are others
};

/// A row of Table 1: ours, and the paper's figure.
struct PaperRow {
  const char* key;
  const char* text;
  const char* paper;  ///< empty: the paper has no such row
  const Measured* ours;
};

/// The rows that do not depend on the way to ask; they refer to `rows`.
std::vector<PaperRow> paper_rows(const TableRows& rows);
/// Those that need no device, which come first in the table.
std::vector<PaperRow> paper_rows(const KinematicRows& rows);

struct TableResult {
  TableRows rows;
  std::vector<WayRows> ways;
};

/// `seconds`: for a cell. Errors: the device's.
Result<TableResult> run_table(const GlScene& scene, const std::shared_ptr<gl::DeviceThread>& device,
                              const std::vector<GlWay>& ways, double seconds);

}  // namespace tocsin::selftest
