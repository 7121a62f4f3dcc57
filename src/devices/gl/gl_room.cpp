#include "devices/gl/gl_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "detect/step/step_problem.h"
#include "devices/gl/step_slabs.h"

namespace tocsin::devices {

namespace {

using detect::KeptClusters;
using detect::Question;

/// The environment variable that makes of whatever the driver complains about an error: for tests.
constexpr const char* kDebugVariable = "TOCSIN_GL_DEBUG";

/// Links times steps, times the slabs of each, that are asked about at once. A slab takes 3 KB here
/// and as much again on its way; fewer would leave a device idle between the rounds, which Ctrl-C
/// has to wait for.
constexpr std::size_t kMostSlabs = 4096;

gl::VisibilityOptions visibility_options(const DetectorOptions& options) {
  gl::VisibilityOptions out;
  out.width = options.gl.width;
  out.height = options.gl.height;
  out.method = options.gl.method == GlMethod::kQuery ? gl::Method::kQuery : gl::Method::kFlags;
  if (options.experiments.surface == GlSurface::kPaper) {
    // As the paper has it: pixel centres, and six directions each of which sees one side.
    out.raster = gl::Raster::kPlain;
    out.all_views = true;
  }
  return out;
}

/// Gathers what is left of a step's slabs, which come in order of link, then time.
void take_kept(const SlabRequests& requests, const std::vector<gl::Seen>& seen,
               std::span<KeptClusters> kept) {
  const std::vector<gl::VisibilityPair>& pairs = requests.batch.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!gl::kept(seen[i])) continue;
    const SlabOwner& owner = requests.owners[pairs[i].slab];
    KeptClusters& of_step = kept[owner.step];
    ++of_step.counters.seen_pairs;
    if (of_step.links.empty() || of_step.links.back().link != owner.link) {
      const auto begin = static_cast<std::uint32_t>(of_step.clusters.size());
      of_step.links.push_back({owner.link, begin, begin});
    }
    of_step.clusters.push_back(pairs[i].cluster);
    of_step.links.back().end = static_cast<std::uint32_t>(of_step.clusters.size());
  }
}

/// Each cluster once a link, in order: the slabs of a link may have kept the same ones.
void make_unique(KeptClusters& kept) {
  std::uint32_t to = 0;
  for (KeptClusters::OfLink& of_link : kept.links) {
    const auto begin = kept.clusters.begin() + of_link.begin;
    const auto end = kept.clusters.begin() + of_link.end;
    std::sort(begin, end);
    const auto unique_end = std::unique(begin, end);
    const auto at = kept.clusters.begin() + to;
    const auto count = static_cast<std::uint32_t>(unique_end - begin);
    if (at != begin) std::move(begin, unique_end, at);
    of_link.begin = to;
    of_link.end = to + count;
    to += count;
  }
  kept.clusters.resize(to);
}

}  // namespace

GlRoom::Made GlRoom::create(std::shared_ptr<const detect::ExactStep> exact) {
  const DetectorOptions& options = exact->options();
  const bool debug = std::getenv(kDebugVariable) != nullptr;
  auto thread = gl::DeviceThread::start({options.gl.device, debug});
  if (!thread) return thread.error();
  auto visibility = gl::Visibility::create(thread.value(), visibility_options(options));
  if (!visibility) return visibility.error();
  auto out = std::shared_ptr<GlRoom>(new GlRoom);
  out->thread_ = thread.value();
  out->debug_ = debug;
  out->visibility_ = std::move(visibility).value();
  out->exact_ = std::move(exact);
  out->clusters_ = out->exact_->tree().clusters(out->environment());
  auto room = out->visibility_->upload(out->environment(), out->clusters_);
  if (!room) return room.error();
  out->room_ = std::move(room).value();
  return std::shared_ptr<const GlRoom>(std::move(out));
}

GlRoom::Made GlRoom::with_environment(std::shared_ptr<const detect::ExactStep> exact) const {
  auto out = std::shared_ptr<GlRoom>(new GlRoom);
  out->thread_ = thread_;
  out->debug_ = debug_;
  out->visibility_ = visibility_;
  out->exact_ = std::move(exact);
  out->clusters_ = clusters_;
  out->clusters_.refit(out->environment());
  auto room = visibility_->upload_vertices(*room_, out->environment());
  if (!room) return room.error();
  out->room_ = std::move(room).value();
  return std::shared_ptr<const GlRoom>(std::move(out));
}

std::string GlRoom::device() const {
  const gl::ContextInfo& info = thread_->info();
  return fmt::format("{}, {}, {}", info.renderer, info.way, visibility_->raster());
}

Status GlRoom::ask(const SlabRequests& requests, std::vector<gl::Seen>& seen) const {
  gl::VisibilityCounters counters;
  Status tested = visibility_->test(*room_, requests.batch, seen, counters);
  if (!tested || !debug_) return tested;
  const std::vector<std::string> complaints = thread_->take_complaints();
  if (complaints.empty()) return Nothing{};
  return Error{ErrorCode::kResource, "OpenGL complains: " + complaints.front()};
}

std::size_t GlRoom::round_of(std::span<const Question> questions, std::size_t slabs_a_link) {
  std::size_t slabs = 0;
  std::size_t count = 0;
  for (const Question& q : questions) {
    slabs += slabs_a_link * q.member->avatar.links().size();
    if (slabs > kMostSlabs && count > 0) break;
    ++count;
  }
  return count;
}

Status GlRoom::cull(std::span<const Question> questions, const std::stop_token& stop,
                    std::vector<KeptClusters>& kept) const {
  kept.assign(questions.size(), {});
  for (KeptClusters& of_step : kept) of_step.room = &clusters_;
  for (std::size_t i = 0; i < questions.size();) {
    if (stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last step"};
    const std::size_t count = round_of(questions.subspan(i), 1);
    Status culled = cull_round(questions.subspan(i, count), std::span(kept).subspan(i, count));
    if (!culled) return culled;
    i += count;
  }
  return Nothing{};
}

Status GlRoom::cull_round(std::span<const Question> questions, std::span<KeptClusters> kept) const {
  SlabRequests requests;
  prepare(questions.size(), requests, [&](std::size_t i, StepSlabs& slabs, SlabRequests& part) {
    const Question& q = questions[i];
    if (detect::problem_with(*q.member, *q.step, environment())) return;
    StepCounters& counters = kept[i].counters;
    slabs.begin(q.member->avatar, *q.step, options().margin, exact_->tree(), counters);
    slabs.add_pieces(static_cast<std::uint32_t>(i), clusters_, bounds(), q.member->active, part,
                     counters);
  });
  std::vector<gl::Seen> seen;
  if (Status asked = ask(requests, seen); !asked) return asked;
  take_kept(requests, seen, kept);
  for (KeptClusters& of_step : kept) make_unique(of_step);
  return Nothing{};
}

}  // namespace tocsin::devices
