// A room that changed while a session was in it, as its record tells: which room each step saw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detect/scene/versions/scene_versions.h"
#include "io/scene/scene_record.h"
#include "tocsin/detector.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"

namespace tocsin::app {

/// The .scene file of a record.
struct RecordedScene {
  std::string file;
  std::vector<io::SceneNewsOfStep> news;
  std::vector<std::string> names;  ///< of all objects, ever: first those of the room's files
  std::unordered_map<std::string, std::uint32_t> numbers;  ///< of the names
};

/// Reads its first `most_bytes`. Errors (kInput): as io::read_scene_record().
Result<RecordedScene> load_recorded_scene(const std::string& file, std::uint64_t most_bytes,
                                          const Environment& room);

/// Steps that see one room.
struct SceneRun {
  Detector detector;
  Member member;
  std::size_t first = 0;  ///< position among the job's steps
  std::size_t count = 0;
  bool moves = false;  ///< objects move; then it is one step
};

/// What is replayed. All but the member lives longer than the replay.
struct SceneQuestion {
  const Environment& room;  ///< of the files
  const DetectorOptions& options;
  const RecordedScene& recorded;
  const StepList& steps;
  Member member;
  const std::vector<std::string>& ignore;
};

/// Goes through the steps, once, in order.
class SceneReplay {
 public:
  explicit SceneReplay(SceneQuestion question) : asked_(std::move(question)) {}

  [[nodiscard]] bool done() const;
  /// Errors: kInput: the file tells what cannot be done, which is named; kResource: memory.
  Result<SceneRun> next();
  /// Contacts get the numbers of RecordedScene::names.
  void number_objects(const SceneRun& run, StepReport& report) const;
  /// The room of the last run, and the numbers of its objects. Errors: kResource: memory.
  Result<Environment> flat(std::vector<std::uint32_t>& numbers) const;
  /// True if commands about pairs are in force, which a flat room does not know.
  [[nodiscard]] std::vector<SceneEdit> pair_commands() const { return scene_->pair_commands(); }

 private:
  Status take(const io::SceneNewsOfStep& news);
  Status begin();
  [[nodiscard]] std::int64_t step_of_next_news() const;

  SceneQuestion asked_;
  std::size_t position_ = 0;
  std::size_t news_ = 0;
  std::shared_ptr<detect::SceneVersions> scene_;
  std::unique_ptr<detect::SceneReader> reader_;
  std::optional<detect::SceneMoment> moment_;
  bool at_rest_ = false;  ///< the motions of moment_ were seen
  std::optional<std::uint64_t> table_;
};

}  // namespace tocsin::app
