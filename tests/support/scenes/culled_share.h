// How good a culler the pictures are: of the pairs of slab and cluster that boxes leave and that
// really lie apart, how many do they cull?
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gl/visibility/visibility.h"
#include "scene/swept/slab.h"
#include "scene/swept/step_motion.h"
#include "scene/tree/clusters.h"
#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::test {

/// Pairs of slab and cluster.
struct CulledShare {
  std::uint64_t boxes = 0;    ///< whose boxes overlap
  std::uint64_t meeting = 0;  ///< of these, some triangle meets the skin's solid
  std::uint64_t lost = 0;     ///< of these, culled: must be 0
  std::uint64_t near = 0;     ///< within two pixels of each other, without those that meet
  std::uint64_t near_culled = 0;
  std::uint64_t apart = 0;  ///< farther apart than two pixels
  std::uint64_t culled = 0;
  /// Of those apart: no triangle's own box meets the slab's, so that nothing has to be drawn to see
  /// it. All of them are culled.
  std::uint64_t empty = 0;
  /// Of those apart: culled by CULLIDE's own criterion, wholly visible from one of six directions.
  /// Known with VisibilityOptions::all_views and Method::kFlags; else 0.
  std::uint64_t culled_one_sided = 0;
  std::uint64_t lost_one_sided = 0;  ///< of those that meet, by the same criterion

  CulledShare& operator+=(const CulledShare& other);
  /// Of those apart.
  [[nodiscard]] double share() const;
  /// Of those apart that are not empty.
  [[nodiscard]] double share_drawn() const;
};

/// A line for a person.
std::string to_string(const CulledShare& share);

/// A culler's question: the slabs of steps, and the clusters whose boxes theirs overlap.
class SlabQuestions {
 public:
  SlabQuestions(const Environment& environment, const scene::Clusters& clusters);

  /// The pieces of every link over a step, as slabs.
  void add(const Avatar& avatar, const Step& step);

  [[nodiscard]] const gl::VisibilityBatch& batch() const { return batch_; }
  /// The skin of slab i, made again.
  void skin_of(std::size_t slab, scene::SlabSkin& out) const { out.set(slabs_[slab]); }

 private:
  void add_slab(const scene::Slab& slab);

  const Environment& environment_;
  const scene::Clusters& clusters_;
  core::Box bounds_;
  scene::StepMotion motion_;
  scene::SlabSkin skin_;
  std::vector<scene::Slab> slabs_;
  gl::VisibilityBatch batch_;
};

/// Counts what `seen`, an answer to questions.batch() with these options, culled.
CulledShare count_culled(const Environment& environment, const scene::Clusters& clusters,
                         const SlabQuestions& questions, const std::vector<gl::Seen>& seen,
                         const gl::VisibilityOptions& options);

/// Uploads the room, asks and counts. Errors: those of `visibility`.
Result<CulledShare> ask_and_count(gl::Visibility& visibility, const gl::VisibilityOptions& options,
                                  const Environment& environment, const scene::Clusters& clusters,
                                  const SlabQuestions& questions);

}  // namespace tocsin::test
