#include "detect/gl_stage.h"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "detect/image_search.h"
#include "detect/step_problem.h"
#include "detect/step_slabs.h"

namespace tocsin::detect {

namespace {

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
  if (options.gl.surface == GlSurface::kPaper) {
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

Result<std::shared_ptr<const GlStage>> GlStage::create(const Environment& environment,
                                                       std::shared_ptr<const cpu::TreeCuller> tree,
                                                       const DetectorOptions& options) {
  const bool debug = std::getenv(kDebugVariable) != nullptr;
  auto thread = gl::DeviceThread::start({options.gl.device, debug});
  if (!thread) return thread.error();
  auto visibility = gl::Visibility::create(thread.value(), visibility_options(options));
  if (!visibility) return visibility.error();
  auto out = std::shared_ptr<GlStage>(new GlStage);
  out->thread_ = thread.value();
  out->debug_ = debug;
  out->visibility_ = std::move(visibility).value();
  out->environment_ = environment;
  out->tree_ = std::move(tree);
  out->options_ = options;
  out->clusters_ = out->tree_->clusters(environment);
  auto room = out->visibility_->upload(environment, out->clusters_);
  if (!room) return room.error();
  out->room_ = std::move(room).value();
  return std::shared_ptr<const GlStage>(std::move(out));
}

Result<std::shared_ptr<const GlStage>> GlStage::moved(
    const Environment& environment, std::shared_ptr<const cpu::TreeCuller> tree) const {
  auto out = std::shared_ptr<GlStage>(new GlStage);
  out->thread_ = thread_;
  out->debug_ = debug_;
  out->visibility_ = visibility_;
  out->environment_ = environment;
  out->tree_ = std::move(tree);
  out->options_ = options_;
  out->clusters_ = clusters_;
  out->clusters_.refit(environment);
  auto room = visibility_->upload_vertices(*room_, environment);
  if (!room) return room.error();
  out->room_ = std::move(room).value();
  return std::shared_ptr<const GlStage>(std::move(out));
}

std::string GlStage::device() const {
  const gl::ContextInfo& info = thread_->info();
  return fmt::format("{}, {}, {}", info.renderer, info.way, visibility_->raster());
}

void GlStage::give_up(const Error& why) const {
  const std::lock_guard lock(failure_mutex_);
  if (!failure_) failure_ = why;
}

std::optional<Error> GlStage::failure() const {
  const std::lock_guard lock(failure_mutex_);
  return failure_;
}

Status GlStage::ask(const SlabRequests& requests, std::vector<gl::Seen>& seen) const {
  gl::VisibilityCounters counters;
  Status tested = visibility_->test(*room_, requests.batch, seen, counters);
  if (!tested || !debug_) return tested;
  const std::vector<std::string> complaints = thread_->take_complaints();
  if (complaints.empty()) return Nothing{};
  return Error{ErrorCode::kResource, "OpenGL complains: " + complaints.front()};
}

std::size_t GlStage::round_of(const Avatar& avatar, std::size_t slabs_a_link) {
  return std::max<std::size_t>(
      kMostSlabs / std::max<std::size_t>(avatar.links().size(), 1) / slabs_a_link, 1);
}

Status GlStage::cull(const Avatar& avatar, std::span<const Step> steps, const ActivePairs& active,
                     const std::stop_token& stop, std::vector<KeptClusters>& kept) const {
  kept.assign(steps.size(), {});
  const std::size_t round = round_of(avatar, 1);
  for (std::size_t i = 0; i < steps.size(); i += round) {
    if (stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last step"};
    const std::size_t count = std::min(round, steps.size() - i);
    Status culled =
        cull_round(avatar, steps.subspan(i, count), active, std::span(kept).subspan(i, count));
    if (!culled) return culled;
  }
  return Nothing{};
}

Status GlStage::cull_round(const Avatar& avatar, std::span<const Step> steps,
                           const ActivePairs& active, std::span<KeptClusters> kept) const {
  SlabRequests requests;
  prepare(steps.size(), requests, [&](std::size_t i, StepSlabs& slabs, SlabRequests& part) {
    if (problem_with(avatar, steps[i], environment_, active)) return;
    StepCounters& counters = kept[i].counters;
    slabs.begin(avatar, steps[i], options_.margin, *tree_, counters);
    slabs.add_pieces(static_cast<std::uint32_t>(i), clusters_, bounds(), active, part, counters);
  });
  std::vector<gl::Seen> seen;
  if (Status asked = ask(requests, seen); !asked) return asked;
  take_kept(requests, seen, kept);
  for (KeptClusters& of_step : kept) make_unique(of_step);
  return Nothing{};
}

Status GlStage::estimate(const Avatar& avatar, std::span<const Step> steps,
                         const ActivePairs& active, const std::stop_token& stop,
                         std::span<StepReport> reports) const {
  const std::size_t round = round_of(avatar, ImageSearch::kSlabsALink);
  for (std::size_t i = 0; i < steps.size(); i += round) {
    const std::size_t count = std::min(round, steps.size() - i);
    Status searched =
        ImageSearch(*this, avatar, steps.subspan(i, count), active, reports.subspan(i, count))
            .run(stop);
    if (!searched) return searched;
  }
  return Nothing{};
}

}  // namespace tocsin::detect
