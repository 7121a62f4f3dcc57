// The bodies of a story at a time, as a stage draws them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "scene/swept/step_motion.h"
#include "tocsin/contact.h"
#include "view/choose_camera.h"
#include "view/stage/stage.h"
#include "view/window/player.h"
#include "view/window/story.h"

namespace tocsin::view {

class LiveScene {
 public:
  explicit LiveScene(std::shared_ptr<const Story> story);

  [[nodiscard]] const Story& story() const { return *story_; }
  /// For Stage::set_links.
  [[nodiscard]] Mesh link_models() const;
  [[nodiscard]] std::size_t link_count() const { return link_count_; }
  /// For Stage::set_room: a story's room by its place.
  [[nodiscard]] Mesh room_of(std::size_t room) const;

  /// Poses everything at a time, by the proved motion; false: as it was.
  bool set_time(double seconds);
  [[nodiscard]] double time() const { return seconds_; }
  /// Contacts that are touching now, or may be; indices into the story's.
  [[nodiscard]] std::span<const std::size_t> touching() const { return touching_; }

  /// For Stage::set_places; links that touch have the colour of their kind and an outline, and the
  /// others of their avatar are pale. `marked` is brighter.
  [[nodiscard]] std::vector<LinkPlace> places(const std::optional<Followed>& marked) const;
  /// For Stage::set_objects.
  [[nodiscard]] std::vector<std::uint32_t> object_states(
      std::span<const std::uint32_t> opened, const std::optional<Followed>& marked) const;
  /// The touched parts of the room, for Stage::set_solids.
  [[nodiscard]] Mesh touched_parts() const;
  /// Marks of the contacts, the chosen episode's alone where it touches.
  [[nodiscard]] Mesh marks(const Camera& camera) const;
  /// What moves in the steps that the time is in, for Stage::set_glass.
  [[nodiscard]] Glass swept() const;
  /// Changes when swept() does.
  [[nodiscard]] std::uint64_t step_key() const { return step_key_; }
  /// A ball around all that are there.
  [[nodiscard]] Ball around() const;
  /// The middle of a link, or of an object's box; none: it is not there.
  [[nodiscard]] std::optional<Vec3> middle_of(const Followed& what) const;
  /// What an id of Stage::pick() is.
  [[nodiscard]] std::optional<Followed> thing_of(std::uint32_t id) const;
  /// The motion of a figure over the step that the time is in; null: there is no such figure.
  [[nodiscard]] const scene::StepMotion* motion_of(std::int32_t avatar) const;

 private:
  struct Figure {
    const StoryFigure* source = nullptr;
    std::size_t first_link = 0;
    scene::StepMotion motion;
    std::size_t step = SIZE_MAX;  ///< that `motion` is of
    bool there = true;
    Pose pose;
  };
  [[nodiscard]] const Figure* figure_of(std::int32_t avatar) const;
  [[nodiscard]] const Environment& room() const;
  [[nodiscard]] Contact as_contact(const StoryContact& contact) const;

  std::shared_ptr<const Story> story_;
  std::vector<Figure> figures_;
  std::size_t link_count_ = 0;
  double seconds_ = 0.0;
  bool posed_ = false;
  std::size_t room_ = 0;
  std::uint64_t step_key_ = 0;
  std::vector<std::size_t> touching_;
};

/// pale_colour() of a link that is picked.
Colour picked_pale_colour(const Colour& own);

}  // namespace tocsin::view
