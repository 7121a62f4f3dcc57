#include "service/step/room_follower.h"

#include <iterator>
#include <utility>

namespace tocsin::service {

std::unique_ptr<RoomFollower> RoomFollower::enter(
    const std::shared_ptr<detect::SceneVersions>& scene, const detect::ReaderLimits& limits,
    Problem& problem) {
  auto entrance = detect::SceneReader::enter(scene, limits);
  if (!entrance) {
    problem = {Refusal::kOverloaded, entrance.error().message};
    return nullptr;
  }
  const std::uint64_t version = entrance->moment.version;
  std::unique_ptr<RoomFollower> out(new RoomFollower(
      std::move(entrance->reader), std::move(entrance->moment), std::move(entrance->state)));
  out->step_ = out->next_ = {version, version, false};
  return out;
}

void RoomFollower::begin(const DetectorOptions& asked, Member member,
                         std::vector<std::string> ignore, bool records) {
  asked_ = asked;
  member_ = std::move(member);
  ignore_ = std::move(ignore);
  records_ = records;
  table_ = now_.table;
  state_.reset();
  fresh_ = true;
}

Status RoomFollower::advance() {
  if (fresh_ && now_.moves) return Nothing{};  // no step has seen these motions yet
  detect::SceneNews news;
  const std::uint64_t before = reader_->version();
  auto moment = reader_->next(records_ ? &news : nullptr);
  if (!moment) return moment.error();
  if (!*moment) return Nothing{};
  now_ = std::move(**moment);
  next_ = {before, now_.version, now_.moves};
  fresh_ = true;
  if (!records_) return Nothing{};
  if (news.state) news_ = {};
  news_.state = news.state ? std::move(news.state) : std::move(news_.state);
  news_.changes.insert(news_.changes.end(), std::make_move_iterator(news.changes.begin()),
                       std::make_move_iterator(news.changes.end()));
  has_news_ = true;
  return Nothing{};
}

Result<Stream> RoomFollower::stream_in(const Detector& room) {
  auto detector = room.with_options(asked_);
  if (!detector) return detector.error();
  if (!ignore_.empty() && table_ != now_.table) {
    auto active = ActivePairs::ignoring(member_.avatar, detector->environment(), ignore_);
    if (!active) return active.error();
    member_.active = std::move(active).value();
  }
  table_ = now_.table;
  of_step_ = std::move(detector).value();
  return Stream(*of_step_, member_);
}

Result<std::optional<Stream>> RoomFollower::next_stream() {
  if (fresh_) {
    auto stream = stream_in(now_.detector);
    if (!stream) return stream.error();
    fresh_ = false;
    moved_ = now_.moves;
    step_ = next_;
    next_ = {now_.version, now_.version, false};
    return std::optional<Stream>(std::move(stream).value());
  }
  step_ = next_;
  if (!moved_) return std::optional<Stream>();
  auto stream = stream_in(now_.rest);
  if (!stream) return stream.error();
  moved_ = false;
  return std::optional<Stream>(std::move(stream).value());
}

void RoomFollower::describe(StepReport& result) const {
  reader_->scene().number_objects(now_.detector.environment(), result);
}

void RoomFollower::number(const Detector& room, StepReport& report) const {
  reader_->scene().number_objects(room.environment(), report);
}

Result<std::vector<LinkDistance>> RoomFollower::nearest_at_end(const Step& step, double within,
                                                               const std::stop_token& stop) const {
  auto found = of_step_->nearest(member_, step, 1.0, within, stop);
  if (found) reader_->scene().number_objects(of_step_->environment(), *found);
  return found;
}

std::optional<detect::SceneNews> RoomFollower::take_news() {
  if (!std::exchange(has_news_, false)) return std::nullopt;
  return std::exchange(news_, {});
}

}  // namespace tocsin::service
