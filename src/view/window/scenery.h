// The picture of a player's state: a stage with the story's room and bodies on it. In jobs of a
// DeviceThread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "view/stage/cull_study.h"
#include "view/stage/stage.h"
#include "view/window/live_scene.h"
#include "view/window/player.h"

namespace tocsin::view {

/// What a pixel of the view shows.
struct SeenThing {
  std::optional<Followed> thing;
  std::optional<std::size_t> contact;  ///< its mark is there: index into the story's
  Vec3 point;                          ///< on it, metres
};

class Scenery {
 public:
  /// Puts the story's room and bodies on the device. Errors: of Stage::make(); kResource: memory.
  static Result<std::unique_ptr<Scenery>> make(std::shared_ptr<const Story> story);

  /// Another story: what is the same stays on the device. Errors: kResource.
  Status tell(std::shared_ptr<const Story> story);
  /// Poses everything at the player's time, and tells the player where what it follows is.
  void pose(Player& player);
  /// Draws a picture of that size. Errors: kResource.
  Status draw(const Player& player, int width, int height, int samples, Quality quality);
  [[nodiscard]] const Stage& stage() const { return *stage_; }
  /// study_texts() of the player's state now, without a picture.
  void tell_study(const Player& player) { study(player); }
  /// What the last picture shows at a place in it, 0 to 1 from its upper left corner; none: no
  /// surface.
  [[nodiscard]] std::optional<SeenThing> seen_at(const Player& player, double x, double y) const;
  /// About the tree and the candidates of the studied link, for people; empty: not shown.
  [[nodiscard]] const std::vector<std::string>& study_texts() const { return study_texts_; }
  [[nodiscard]] const LiveScene& live() const { return *live_; }

 private:
  Scenery() = default;
  Status put_room(std::size_t room);
  Mesh overlays(const Player& player, const Camera& camera) const;
  void study(const Player& player);
  void put_glass(const Player& player);

  std::unique_ptr<Stage> stage_;
  std::unique_ptr<LiveScene> live_;
  std::size_t room_ = SIZE_MAX;
  std::shared_ptr<const CullStudy> study_;
  std::vector<std::string> study_texts_;
  Mesh studied_;
  std::array<std::uint64_t, 3> studied_key_{};
  std::array<std::uint64_t, 2> glass_key_{};
  Camera camera_;
};

}  // namespace tocsin::view
