#include "tocsin/c/nearest.h"

#include <utility>

#include "c/convert.h"
#include "c/objects.h"

namespace tocsin::c {
namespace {

static_assert(static_cast<int>(Proximity::kApart) == TOCSIN_APART &&
              static_cast<int>(Proximity::kTouching) == TOCSIN_TOUCHING &&
              static_cast<int>(Proximity::kOverlap) == TOCSIN_PENETRATING);

tocsin_nearest_points points_of(const ShapeNearest& from) {
  tocsin_nearest_points out{};
  out.distance = from.distance;
  out.first = same_bytes<tocsin_vec3>(from.first);
  out.second = same_bytes<tocsin_vec3>(from.second);
  out.first_feature = from.first_feature;
  out.second_feature = from.second_feature;
  return out;
}

tocsin_convex_points points_of(const ConvexNearest& from) {
  tocsin_convex_points out{};
  out.status = static_cast<std::int32_t>(from.status);
  out.distance = from.distance;
  out.error = from.error;
  out.first = same_bytes<tocsin_vec3>(from.first);
  out.second = same_bytes<tocsin_vec3>(from.second);
  out.normal = same_bytes<tocsin_vec3>(from.normal);
  return out;
}

}  // namespace
}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_nearest(tocsin_shape first, const tocsin_transform* first_at,
                             tocsin_shape second, const tocsin_transform* second_at,
                             tocsin_nearest_points* out) {
  return guarded([&] {
    const auto one = borrow(first);
    const auto other = borrow(second);
    fill(out,
         points_of(nearest(*one, transform_of(first_at), *other, transform_of(second_at)).value()),
         "out");
  });
}

tocsin_status tocsin_pair_create(tocsin_shape first, tocsin_shape second, tocsin_pair* out) {
  return making(out, [&] {
    return give<tocsin_pair>(std::make_shared<Pair>(ConvexBody::make(*borrow(first)).value(),
                                                    ConvexBody::make(*borrow(second)).value()));
  });
}

tocsin_status tocsin_pair_nearest(tocsin_pair pair, const tocsin_transform* first_at,
                                  const tocsin_transform* second_at, tocsin_convex_points* out) {
  return guarded([&] {
    const Use from(pair);
    fill(out,
         points_of(from->pair.nearest(transform_of(first_at), transform_of(second_at)).value()),
         "out");
  });
}
}
