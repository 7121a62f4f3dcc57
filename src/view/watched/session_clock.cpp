#include "view/watched/session_clock.h"

#include <algorithm>

namespace tocsin::view {

std::array<double, 2> place_step(const std::array<double, 2>& own, double now, double newest,
                                 const SessionPlace& place) {
  std::optional<double>& offset = place.offset;
  std::optional<double>& last = place.last;
  if (!offset) offset = std::max(now, newest) - own[1];
  const bool lags = now - (own[1] + *offset) > kMostLag;
  // A clock that was set back, as that of another machine that goes on with the session.
  const bool back = last && own[0] + *offset < *last - kMostLag;
  if (lags || back) offset = std::max(now - own[1], last ? *last - own[0] : now - own[1]);
  std::array<double, 2> out{own[0] + *offset, own[1] + *offset};
  if (last) out[0] = std::max(out[0], *last);
  out[1] = std::max(out[1], out[0]);
  last = out[1];
  return out;
}

}  // namespace tocsin::view
