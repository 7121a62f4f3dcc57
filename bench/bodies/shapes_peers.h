// What other libraries do with two bodies that move: FCL's conservative advancement and its
// sampling, Bullet's conservative advancement of convex bodies. Yardsticks of bench_shapes, where
// they are installed; nothing else uses them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tocsin/motion.h"
#include "tocsin/shape.h"

namespace tocsin::bench {

/// What a peer says of a step.
struct PeerAnswer {
  bool touches = false;
  double toc = 1.0;  ///< of the step, 0 to 1
};

/// Both bodies have one shape. Between two poses its middle goes straight and it turns evenly about
/// one axis (InBetween::kTranslateRotate).
class Peer {
 public:
  Peer() = default;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  virtual ~Peer() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  virtual PeerAnswer check(const Step& a, const Step& b) = 0;
};

using Peers = std::vector<std::unique_ptr<Peer>>;

/// Those that are compiled in. A body that is not convex has no Bullet.
Peers fcl_peers(const Shape& shape);
Peers bullet_peers(const Shape& shape, bool convex);

}  // namespace tocsin::bench
