#include "service/step/near_objects.h"

#include <utility>

namespace tocsin::service {

NearObjects::NearObjects(const TrackOptions& options, const Detector& detector,
                         const Member& member, bool follows)
    : within_(options.nearest), most_(options.most_distances) {
  if (asked() && !follows) standing_.emplace(Standing{detector, member});
}

Result<NearAnswer> NearObjects::at_end(const Step& step, const RoomFollower* follower,
                                       const std::stop_token& stop) const {
  auto found = follower != nullptr
                   ? follower->nearest_at_end(step, within_, stop)
                   : standing_->detector.nearest(standing_->member, step, 1.0, within_, stop);
  if (!found) return found.error();
  NearAnswer out;
  out.distances = std::move(found).value();
  if (out.distances.size() > most_) {
    out.more = out.distances.size() - most_;
    out.distances.resize(most_);
  }
  out.distances.shrink_to_fit();  // they are kept until they are sent
  return out;
}

}  // namespace tocsin::service
