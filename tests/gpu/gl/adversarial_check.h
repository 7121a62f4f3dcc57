// Batches of adversarial scenes, asked of the CPU and of OpenGL: the same contacts, bit for bit.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gpu/gl/gl_detector_test.h"
#include "support/scenes/adversarial.h"

namespace tocsin::test {

/// What was compared, so that nobody compares nothing.
struct Compared {
  std::uint64_t scenes = 0;
  std::uint64_t contacts = 0;
  std::uint64_t differing = 0;   ///< scenes
  std::uint64_t box_pairs = 0;   ///< of slabs and clusters whose boxes overlap
  std::uint64_t seen_pairs = 0;  ///< of these, left by visibility
};

inline void print(const Compared& c) {
  fmt::print(
      "{} scenes, {} contacts, {} scenes differ; visibility left {} of {} pairs of slab and "
      "cluster\n",
      c.scenes, c.contacts, c.differing, c.seen_pairs, c.box_pairs);
}

/// Views of many sizes, wide, high, coarse; both ways to ask.
inline GlOptions gl_options_of(std::uint64_t number) {
  GlOptions out;
  switch (number % 5) {
    case 1:
      out.method = GlMethod::kQuery;
      break;
    case 2:
      out.width = out.height = 16;
      break;
    case 3:
      out.width = 97;
      out.height = 33;
      break;
    default:
      break;
  }
  return out;
}

inline void compare(const AdversarialBatch& batch, DetectorOptions options, const GlOptions& gl,
                    Compared& out) {
  options.backend = Backend::kCpu;
  const Detector cpu = Detector::make(batch.environment, options).value();
  options.backend = Backend::kGl;
  options.gl = gl;
  const Detector device = Detector::make(batch.environment, options).value();
  EXPECT_EQ(device.backend_name(), "gl");
  const std::vector<StepReport> want = reports_of_run(cpu, batch.avatar, batch.steps);
  const std::vector<StepReport> got = reports_of_run(device, batch.avatar, batch.steps);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    const bool same =
        got[i].contacts == want[i].contacts && got[i].safe_until == want[i].safe_until;
    EXPECT_TRUE(same) << name_of(batch.scenes[i].kind) << ", scene " << i << ": "
                      << got[i].contacts.size() << " contacts, not " << want[i].contacts.size()
                      << ", safe until " << got[i].safe_until << ", not " << want[i].safe_until;
    ++out.scenes;
    out.contacts += want[i].contacts.size();
    out.differing += same ? 0 : 1;
    out.box_pairs += got[i].counters.box_pairs;
    out.seen_pairs += got[i].counters.seen_pairs;
  }
}

}  // namespace tocsin::test
