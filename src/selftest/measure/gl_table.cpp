#include "selftest/measure/gl_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "devices/gl/slab_requests.h"
#include "devices/gl/step_slabs.h"
#include "gpu/gl/visibility/visibility.h"
#include "scene/swept/dynamic_bvh.h"
#include "scene/swept/slab.h"
#include "scene/swept/swept_surface.h"
#include "selftest/measure/gl_drawing.h"

namespace tocsin::selftest {

std::string GlWay::text() const {
  return fmt::format("{} x {}, {}", width, height, method == GlMethod::kQuery ? "query" : "flags");
}

DetectorOptions GlWay::options() const {
  DetectorOptions out;
  out.backend = Backend::kGl;
  out.gl.width = width;
  out.gl.height = height;
  out.gl.method = method;
  return out;
}

std::vector<PaperRow> paper_rows(const KinematicRows& rows) {
  return {{"position_update", "Position update (all links)", "15 us", &rows.position},
          {"motion_parameters", "Motion parameters update (all links)", "20 us", &rows.motion},
          {"swept_boxes_chord", "Swept AABBs update, chord bound (ours)", "50 us", &rows.chord}};
}

std::vector<PaperRow> paper_rows(const TableRows& rows) {
  return {
      {"box_culling", "AABB culling (all links)", "20 us", &rows.boxes},
      {"swept_surface", "SV computation, the paper's (one link)", "300 us", &rows.surface},
      {"skins", "SV computation, skins (ours, one link)", "300 us", &rows.skins},
      {"clusters", "  their boxes against clusters (one link)", "", &rows.clusters},
      {"rendering", "Rendering the scene, 1024 x 768", "10 ms", &rows.rendering},
  };
}

namespace {

using devices::SlabOwner;
using devices::SlabRequests;
using devices::StepSlabs;

/// As src/devices/gl/image_search.cpp cuts.
constexpr int kCut = 8;
/// Links that are asked about, from as many steps as it takes.
constexpr std::size_t kMostLinks = 64;
constexpr std::size_t kMostQuestions = 1000;

/// A link in a step near something, and what is asked about it.
struct LinkSample {
  Step step;
  std::int32_t link = 0;
  SlabRequests pieces;
  /// The first of kCut parts of the step that stays, and the clusters that it stays for; none.
  SlabOwner first;
  std::vector<std::uint32_t> clusters;
};

/// The room on a device, for one way to ask.
class RoomAsker {
 public:
  static Result<RoomAsker> open(const std::shared_ptr<gl::DeviceThread>& device,
                                const GlScene& scene, const scene::Clusters& clusters,
                                const GlWay& way) {
    gl::VisibilityOptions options;
    options.width = way.width;
    options.height = way.height;
    options.method = way.method == GlMethod::kQuery ? gl::Method::kQuery : gl::Method::kFlags;
    auto visibility = gl::Visibility::create(device, options);
    if (!visibility) return visibility.error();
    RoomAsker out;
    out.visibility_ = std::move(visibility).value();
    auto room = out.visibility_->upload(scene.environment, clusters);
    if (!room) return room.error();
    out.room_ = std::move(room).value();
    return out;
  }

  /// The answers; a failure is kept.
  const std::vector<gl::Seen>& ask(const SlabRequests& requests) {
    gl::VisibilityCounters counters;
    const Status asked = visibility_->test(*room_, requests.batch, seen_, counters);
    if (!asked && !failure_) failure_ = asked.error();
    return seen_;
  }
  [[nodiscard]] const std::optional<Error>& failure() const { return failure_; }

 private:
  std::unique_ptr<gl::Visibility> visibility_;
  std::shared_ptr<const gl::DeviceRoom> room_;
  std::vector<gl::Seen> seen_;
  std::optional<Error> failure_;
};

SlabRequests of_link(const SlabRequests& all, std::int32_t link) {
  SlabRequests out;
  std::map<std::uint32_t, std::uint32_t> slab_of;
  for (std::size_t i = 0; i < all.owners.size(); ++i) {
    if (all.owners[i].link != link) continue;
    slab_of[static_cast<std::uint32_t>(i)] = static_cast<std::uint32_t>(out.owners.size());
    gl::VisibilitySlab slab = all.batch.slabs[i];
    const auto skin = std::span(all.batch.skin).subspan(slab.first_triangle, slab.triangle_count);
    slab.first_triangle = static_cast<std::uint32_t>(out.batch.skin.size());
    out.batch.slabs.push_back(slab);
    out.batch.skin.insert(out.batch.skin.end(), skin.begin(), skin.end());
    out.owners.push_back(all.owners[i]);
  }
  for (const gl::VisibilityPair& pair : all.batch.pairs) {
    const auto found = slab_of.find(pair.slab);
    if (found != slab_of.end()) out.batch.pairs.push_back({found->second, pair.cluster});
  }
  return out;
}

/// What all samples and timings of a scene share.
struct Work {
  const GlScene& scene;
  scene::Clusters clusters;
  StepSlabs slabs;
  StepCounters counters;
  ActivePairs active;

  explicit Work(const GlScene& of) : scene(of), clusters(of.tree->clusters(of.environment)) {}
  void begin(const Step& step) { slabs.begin(scene.avatar, step, 0.0, *scene.tree, counters); }
};

/// The first of the step's parts that stays for the link. `asker`: any.
void find_first(Work& work, RoomAsker& asker, LinkSample& sample) {
  SlabRequests parts;
  for (int part = 0; part < kCut; ++part) {
    const double h = 1.0 / kCut;
    work.slabs.add_stretch({0, sample.link, h * part, h * (part + 1)}, work.scene.tree->bounds(),
                           work.clusters, work.active, parts, work.counters);
  }
  const std::vector<gl::Seen>& seen = asker.ask(parts);
  for (std::size_t i = 0; i < parts.batch.pairs.size(); ++i) {
    const SlabOwner& owner = parts.owners[parts.batch.pairs[i].slab];
    if (!gl::kept(seen[i])) continue;
    if (!sample.clusters.empty() && owner.t0 != sample.first.t0) break;
    sample.first = owner;
    sample.clusters.push_back(parts.batch.pairs[i].cluster);
  }
}

std::vector<LinkSample> take_samples(Work& work, RoomAsker& asker) {
  std::vector<LinkSample> out;
  for (const Step& step : work.scene.near) {
    work.begin(step);
    SlabRequests all;
    work.slabs.add_pieces(0, work.clusters, work.scene.tree->bounds(), work.active, all,
                          work.counters);
    for (const std::int32_t link : work.slabs.near_links()) {
      LinkSample sample;
      sample.step = step;
      sample.link = link;
      sample.pieces = of_link(all, link);
      if (sample.pieces.batch.pairs.empty()) continue;
      find_first(work, asker, sample);
      out.push_back(std::move(sample));
      if (out.size() == kMostLinks) return out;
    }
  }
  return out;
}

void time_boxes(const GlScene& scene, TableRows& rows) {
  scene::StepMotion motion;
  scene::DynamicBvh hierarchy;
  std::vector<core::Box> boxes;
  for (const Step& step : scene.near) {
    motion.begin(scene.avatar, step, 0.0, scene.tree->bounds());
    boxes.clear();
    for (std::size_t i = 0; i < motion.link_count(); ++i) boxes.push_back(motion.coarse_box(i));
    add_each(rows.boxes, 1, [&] {
      std::size_t near = 0;
      hierarchy.set(boxes);
      keep(hierarchy.visit([&](const core::Box& box) { return scene.tree->clear_of(box); },
                           [&](std::size_t) { ++near; }));
      keep(near);
    });
  }
}

void time_slabs(Work& work, const std::vector<LinkSample>& samples, TableRows& rows) {
  scene::SlabSkin skin;
  std::vector<core::Box> boxes;
  for (const LinkSample& sample : samples) {
    work.begin(sample.step);
    const scene::SweptLink& link = work.slabs.link(sample.link);
    const double reach = scene::graze_reach(link.motion, work.scene.tree->bounds());
    boxes.clear();
    const auto make = [&] {
      for (std::int32_t piece = 0; piece < link.pieces; ++piece) {
        skin.set(scene::piece_slab(link, piece, reach));
        boxes.push_back(devices::box_of(skin));
      }
    };
    make();
    boxes.clear();
    add_each(rows.skins, 1, make);
    add_each(rows.clusters, 1, [&] {
      std::size_t found = 0;
      for (const core::Box& box : boxes) {
        keep(work.clusters.for_each_overlapping(box, [&](std::uint32_t) { ++found; }));
      }
      keep(found);
    });
    add_each(rows.surface, 1, [&] { keep(scene::swept_surface(link.motion, {})); });
  }
}

void time_backtracking(Work& work, RoomAsker& asker, const std::vector<LinkSample>& samples,
                       double seconds, Measured& out) {
  std::vector<const LinkSample*> staying;
  for (const LinkSample& sample : samples) {
    if (!sample.clusters.empty()) staying.push_back(&sample);
  }
  if (staying.empty()) {
    out.skipped = "no slab stays";
    return;
  }
  const double end = now_us() + 1e6 * seconds;
  for (std::size_t i = 0; i < kMostQuestions && (i == 0 || now_us() < end); ++i) {
    const LinkSample& sample = *staying[i % staying.size()];
    work.begin(sample.step);
    keep(work.slabs.link(sample.link));  // its motion is known by then
    const double begin = now_us();
    SlabRequests parts;
    const double h = (sample.first.t1 - sample.first.t0) / kCut;
    for (int part = 0; part < kCut; ++part) {
      work.slabs.add_stretch(
          {0, sample.link, sample.first.t0 + h * part, sample.first.t0 + h * (part + 1)},
          work.scene.tree->bounds(), work.clusters, sample.clusters, parts);
    }
    keep(asker.ask(parts));
    out.us.push_back(now_us() - begin);
  }
}

/// Which pairs stay, of the samples that were reached.
using KeptPairs = std::map<std::size_t, std::vector<bool>>;

WayRows time_way(Work& work, RoomAsker& asker, const GlWay& way,
                 const std::vector<LinkSample>& samples, double seconds, KeptPairs& kept) {
  WayRows out;
  out.way = way;
  keep(asker.ask(samples.front().pieces));
  out.interference = measure(kMostQuestions, seconds, [&](std::size_t i) {
    const std::size_t number = i % samples.size();
    const std::vector<gl::Seen>& seen = asker.ask(samples[number].pieces);
    std::vector<bool>& stays = kept[number];
    stays.clear();
    for (const gl::Seen s : seen) stays.push_back(gl::kept(s));
  });
  for (const auto& [number, stays] : kept) {
    out.pairs += static_cast<double>(stays.size());
    out.kept += static_cast<double>(std::count(stays.begin(), stays.end(), true));
  }
  out.pairs /= static_cast<double>(kept.size());
  out.kept /= static_cast<double>(kept.size());
  time_backtracking(work, asker, samples, seconds, out.backtracking);
  return out;
}

/// The first sample that both reached and of which other pairs stay; none.
std::optional<std::size_t> first_difference(const KeptPairs& p, const KeptPairs& q) {
  for (const auto& [number, stays] : p) {
    const auto other = q.find(number);
    if (other != q.end() && other->second != stays) return number;
  }
  return std::nullopt;
}

}  // namespace

Result<TableResult> run_table(const GlScene& scene, const std::shared_ptr<gl::DeviceThread>& device,
                              const std::vector<GlWay>& ways, double seconds) {
  TableResult out;
  Work work(scene);
  out.rows.room_clusters = work.clusters.clusters().size();
  time_boxes(scene, out.rows);
  std::vector<LinkSample> samples;
  std::map<std::pair<int, int>, KeptPairs> of_size;
  for (const GlWay& way : ways) {
    Result<RoomAsker> asker = RoomAsker::open(device, scene, work.clusters, way);
    if (!asker) return asker.error();
    RoomAsker& opened = *asker;
    if (samples.empty()) samples = take_samples(work, opened);
    if (samples.empty()) return {ErrorCode::kInput, scene.name + ": no box meets a cluster's"};
    KeptPairs kept;
    out.ways.push_back(time_way(work, opened, way, samples, seconds, kept));
    const auto [at, first] = of_size.try_emplace({way.width, way.height}, kept);
    if (const auto differs = first ? std::nullopt : first_difference(at->second, kept)) {
      out.ways.back().same_as_other_method = false;
      out.ways.back().differing = samples[*differs].step;
    }
    if (opened.failure()) return *opened.failure();
  }
  time_slabs(work, samples, out.rows);
  auto drawn = draw_room(*device, scene.environment, 1024, 768, seconds);
  if (!drawn) return drawn.error();
  out.rows.rendering = std::move(drawn).value();
  return out;
}

}  // namespace tocsin::selftest
