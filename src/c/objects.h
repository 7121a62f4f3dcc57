// What handles of the C interface name, and how a function gets at it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <vector>

#include "c/failure.h"
#include "c/handles.h"
#include "tocsin/avatar.h"
#include "tocsin/crowd.h"
#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/live_motion.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"
#include "tocsin/nearest.h"
#include "tocsin/scene.h"
#include "tocsin/shape.h"
#include "tocsin/skeleton.h"
#include "tocsin/stream.h"
#include "tocsin/tocsin_c.h"

namespace tocsin::c {

/// What one thread at a time may use.
struct OneThread {
  std::atomic_flag busy = ATOMIC_FLAG_INIT;
};

struct Reports : OneThread {
  struct Entry {
    StepReport report;
    std::int32_t object = -1;  ///< of an object that moves: its index
  };
  std::vector<Entry> entries;
};

/// Live poses become steps in a LiveMotion each; a crowd has several.
struct LiveStream : OneThread {
  Member member;
  InBetween in_between = InBetween::kScrew;
  double seconds_per_tick = 1.0;
  LiveMotion live;
  std::optional<Stream> stream;
  std::optional<Step> last;  ///< what go_on() is about
  bool failed = false;       ///< its check was
  bool lost = false;         ///< memory ran out between two poses
};

struct LiveCrowd : OneThread {
  std::vector<Member> members;
  InBetween in_between = InBetween::kScrew;
  double seconds_per_tick = 1.0;
  std::vector<LiveMotion> live;
  std::optional<Crowd> crowd;
  std::vector<Step> last;  ///< of the last instant; empty: there was none
  bool lost = false;
};

struct LiveScene : OneThread {
  explicit LiveScene(Scene from) : scene(std::move(from)) {}
  Scene scene;
};

struct Pair : OneThread {
  Pair(ConvexBody first, ConvexBody second) : pair(std::move(first), std::move(second)) {}
  ConvexPair pair;
};

struct Cancel {
  std::stop_source source;
};

/// Names a kind of handle: its object, a number of its own, and what errors call it.
template <class Handle>
struct Kind;
template <class Type, int kNumber>
struct KindOf {
  using Object = Type;
  static constexpr int kKind = kNumber;
};
template <>
struct Kind<tocsin_cancel> : KindOf<Cancel, 1> {};
template <>
struct Kind<tocsin_skeleton> : KindOf<const Skeleton, 2> {};
template <>
struct Kind<tocsin_motion> : KindOf<const Motion, 3> {};
template <>
struct Kind<tocsin_step> : KindOf<const Step, 4> {};
template <>
struct Kind<tocsin_shape> : KindOf<const Shape, 5> {};
template <>
struct Kind<tocsin_environment> : KindOf<const Environment, 6> {};
template <>
struct Kind<tocsin_avatar> : KindOf<const Avatar, 7> {};
template <>
struct Kind<tocsin_member> : KindOf<const Member, 8> {};
template <>
struct Kind<tocsin_detector> : KindOf<const Detector, 9> {};
template <>
struct Kind<tocsin_mesh> : KindOf<const Mesh, 10> {};
template <>
struct Kind<tocsin_reports> : KindOf<Reports, 11> {};
template <>
struct Kind<tocsin_stream> : KindOf<LiveStream, 12> {};
template <>
struct Kind<tocsin_crowd> : KindOf<LiveCrowd, 13> {};
template <>
struct Kind<tocsin_scene> : KindOf<LiveScene, 14> {};
template <>
struct Kind<tocsin_pair> : KindOf<Pair, 15> {};

/// The object of a handle of this kind. Throws a Failure if there is none.
std::shared_ptr<void> find_object(const void* handle, int kind);
[[noreturn]] void refuse_busy(int kind);

/// The object of a handle, which lives as long as it is held. Throws a Failure.
template <class Handle>
std::shared_ptr<typename Kind<Handle>::Object> borrow(Handle handle) {
  using Object = typename Kind<Handle>::Object;
  static_assert(!std::is_base_of_v<OneThread, Object>, "use() it");
  return std::static_pointer_cast<Object>(find_object(handle, Kind<Handle>::kKind));
}

/// The object of a handle for this thread alone. Throws a Failure, also where another has it.
template <class Handle>
class Use {
 public:
  explicit Use(Handle handle)
      : object_(std::static_pointer_cast<typename Kind<Handle>::Object>(
            find_object(handle, Kind<Handle>::kKind))) {
    if (object_->busy.test_and_set(std::memory_order_acquire)) refuse_busy(Kind<Handle>::kKind);
  }
  ~Use() { object_->busy.clear(std::memory_order_release); }
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;
  Use(Use&&) = delete;
  Use& operator=(Use&&) = delete;

  typename Kind<Handle>::Object* operator->() const { return object_.get(); }
  typename Kind<Handle>::Object& operator*() const { return *object_; }

 private:
  std::shared_ptr<typename Kind<Handle>::Object> object_;
};

/// A new handle of an object.
template <class Handle>
Handle give(std::shared_ptr<typename Kind<Handle>::Object> object) {
  using Plain = std::remove_const_t<typename Kind<Handle>::Object>;
  return static_cast<Handle>(
      add_handle({std::const_pointer_cast<Plain>(std::move(object)), Kind<Handle>::kKind}));
}

/// A new handle of a value that does not change.
template <class Handle, class Value>
Handle give_value(Value value) {
  return give<Handle>(std::make_shared<const Value>(std::move(value)));
}

}  // namespace tocsin::c
