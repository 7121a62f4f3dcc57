#include "gpu/cuda/stages/piece_check.h"

#include <algorithm>
#include <utility>

#include "core/batch/pairs.h"
#include "core/batch/shapes.h"

namespace tocsin::cuda {

namespace {

namespace batch = core::batch;

/// Parts of the budget. Together with the arrays of the piece itself (a third) they leave room for
/// what grows in steps.
constexpr std::size_t kLinkShare = 8;       // swept links
constexpr std::size_t kCandidateShare = 4;  // candidates and what certify makes of them
constexpr std::size_t kPairShare = 8;       // pairs of links

/// Candidates of a near link that there is room for before any are known: in a house there are 32.
constexpr std::size_t kLikelyCandidates = 48;

std::size_t at_most(std::size_t budget, std::size_t share, std::size_t bytes_each) {
  return std::max<std::size_t>(budget / share / bytes_each, 1);
}

/// The end of the longest run of links from `begin` on with no more than `most` candidates
/// together; at least one link.
std::size_t end_of_run(std::span<const std::uint64_t> offsets, std::size_t begin,
                       std::uint64_t most) {
  const auto end = std::upper_bound(offsets.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                                    offsets.end(), offsets[begin] + most) -
                   offsets.begin() - 1;
  return std::max(begin + 1, static_cast<std::size_t>(end));
}

std::size_t bytes_per_pair(const batch::View& view) {
  if (view.shapes == nullptr) return CertifyStage::bytes_per_pair();
  return 2 * sizeof(batch::LinkPair) + CertifyStage::bytes_per_pair() +
         ShapeStage::bytes_per_pair();
}

}  // namespace

PieceCheck::PieceCheck(std::shared_ptr<Device> device, std::array<StageCost, kStages>* costs)
    : device_(device),
      costs_(costs),
      models_(std::make_shared<ModelTable>()),
      packs_{Pack(device, models_), Pack(device, models_), Pack(device, models_)},
      motion_(device),
      certify_(device),
      shapes_(device),
      broadphase_(device),
      results_{PieceResult(device), PieceResult(device)},
      near_(device),
      plain_near_(device),
      shape_near_(device),
      swept_(device),
      at0_(device),
      offsets_(device),
      candidates_(device),
      self_pairs_(device),
      near_pairs_(device),
      plain_pairs_(device),
      shape_pairs_(device),
      flags_(device),
      picked_(device) {}

void PieceCheck::stage(Stage stage) {
  if (costs_ != nullptr) device_->measure(&(*costs_)[static_cast<std::size_t>(stage)]);
}

void PieceCheck::begin_batch(std::size_t items) { models_->forget_spare(items); }

void PieceCheck::pack(std::size_t piece, const PieceRoom& room, std::span<const BatchItem> items,
                      std::size_t first, const PieceOptions& options) {
  stage(Stage::kUpload);
  Pack& to = pack_of(piece);
  to.items.assign(items.begin(), items.end());
  // Groups are counted from 0. An avatar that meets no other is a group of its own: its boxes then
  // do not depend on the others, and no counter can tell how a batch was split.
  std::uint32_t groups = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool next = i > 0 && !(options.meet && items[i].group == items[i - 1].group);
    groups += next ? 1 : 0;
    to.items[i].group = groups;
  }
  to.batch.set(to.items, groups + 1, room.objects, options.margin, first);
}

void PieceCheck::upload(std::size_t piece) {
  motion_.upload(pack_of(piece).batch, piece % MotionStage::kPlaces);
}

void PieceCheck::begin(std::size_t piece, const PieceRoom& room) {
  result_ = &result_of(piece);
  result_->begin(pack_of(piece).items.size());
  stage(Stage::kBounds);
  motion_.move(room.room.view().bounds, piece % MotionStage::kPlaces);
}

void PieceCheck::finish(std::size_t piece, const PieceRoom& room, const PieceOptions& options,
                        const std::stop_token& stop) {
  find_near(room, !pack_of(piece).batch.masks.empty());
  check_near(room, options, stop);
  stage(Stage::kLinkPairs);
  check_self(pack_of(piece).batch, options, stop);
  if (options.meet) check_pairs(options, stop);
  motion_.done(piece % MotionStage::kPlaces);
  result_->end();
  if (costs_ != nullptr) device_->measure(nullptr);
}

PieceFound PieceCheck::found(std::size_t piece) {
  PieceResult& result = result_of(piece);
  result.wait();
  // Its copies are done as well. Known now, nobody who packs has to ask.
  pack_of(piece).batch.wait_for_copies();
  return {result.records(), result.tallied(), pack_of(piece).batch};
}

void PieceCheck::find_near(const PieceRoom& room, bool has_masks) {
  stage(Stage::kTraversal);
  const batch::View& view = motion_.view();
  room.tree.flag_near(motion_.boxes(), view.link_count, flags_);
  if (has_masks) {
    broadphase_.drop_inactive(view, motion_.boxes(), room.room.object_boxes(),
                              room.room.view().object_count, flags_.data());
  }
  near_.resize(view.link_count);
  near_.resize(device_->select(flags_.data(), near_.data(), view.link_count));
  device_->launch(near_.size(), batch::TallyNear{view, near_.data(), result_->tallies()});
}

template <class T>
void PieceCheck::gather(const Array<T>& from, Array<T>& to) {
  picked_.resize(from.size());
  to.resize(device_->select(flags_.data(), picked_.data(), from.size()));
  device_->launch(to.size(), batch::Gather<T>{from.data(), picked_.data(), to.data()});
}

void PieceCheck::check_near(const PieceRoom& room, const PieceOptions& options,
                            const std::stop_token& stop) {
  if (motion_.view().shapes == nullptr) {
    check_near(room, near_, false, options, stop);
    return;
  }
  flags_.resize(near_.size());
  device_->launch(near_.size(), batch::FlagShaped{motion_.view(), near_.data(), flags_.data()});
  gather(near_, shape_near_);
  device_->launch(near_.size(), batch::Opposite{flags_.data()});
  gather(near_, plain_near_);
  check_near(room, plain_near_, false, options, stop);
  check_near(room, shape_near_, true, options, stop);
}

void PieceCheck::check_near(const PieceRoom& room, const Array<std::uint32_t>& near, bool shaped,
                            const PieceOptions& options, const std::stop_token& stop) {
  const std::size_t most = at_most(options.budget, kLinkShare,
                                   sizeof(core::SweptLink) + sizeof(core::AxisState) +
                                       sizeof(std::uint64_t) + sizeof(std::uint32_t));
  for (std::size_t i = 0; i < near.size() && !stop.stop_requested(); i += most) {
    check_links(room, near.data() + i, std::min(most, near.size() - i), shaped, options, stop);
  }
}

void PieceCheck::check_links(const PieceRoom& room, const std::uint32_t* near, std::size_t count,
                             bool shaped, const PieceOptions& options,
                             const std::stop_token& stop) {
  stage(Stage::kBounds);
  motion_.sweep(near, count, room.room.view().bounds, swept_, at0_);
  stage(Stage::kTraversal);
  const std::size_t each =
      shaped ? ShapeStage::bytes_per_candidate() : CertifyStage::bytes_per_candidate();
  const std::size_t most =
      at_most(options.budget, kCandidateShare, sizeof(batch::Candidate) + each);
  const bool once = options.traversals == 1;
  if (once && find_at_once(room, near, count, most)) {
    certify_near(room, near, count, shaped, options);
    return;
  }
  // What a first traversal has counted is not counted again.
  const std::uint64_t total = room.tree.count_candidates(
      motion_.view(), near, swept_.data(), count, offsets_, once ? nullptr : result_->tallies());
  std::vector<std::uint64_t> offsets;
  if (total > most) offsets_.download(offsets);
  const std::size_t lanes = room.tree.lanes();
  for (std::size_t i = 0; i * lanes < offsets.size(); ++i) offsets[i] = offsets[i * lanes];
  if (total > most) offsets.resize(count + 1);
  for (std::size_t i = 0; i < count && !stop.stop_requested();) {
    const std::size_t end = total > most ? end_of_run(offsets, i, most) : count;
    stage(Stage::kTraversal);
    const std::uint64_t found = total > most ? offsets[end] - offsets[i] : total;
    room.tree.find_candidates(swept_.data(), i, end, offsets_, found, candidates_);
    certify_near(room, near, count, shaped, options);
    i = end;
  }
}

bool PieceCheck::find_at_once(const PieceRoom& room, const std::uint32_t* near, std::size_t count,
                              std::size_t most) {
  candidates_.resize(std::min(most, std::max(appended_, kLikelyCandidates * count)));
  const std::size_t there = candidates_.size();
  const std::uint64_t found = room.tree.append_candidates(motion_.view(), near, swept_.data(),
                                                          count, candidates_, result_->tallies());
  appended_ = static_cast<std::size_t>(std::min<std::uint64_t>(most, found + found / 8));
  return found <= there;
}

void PieceCheck::certify_near(const PieceRoom& room, const std::uint32_t* near, std::size_t count,
                              bool shaped, const PieceOptions& options) {
  stage(Stage::kCertify);
  const NearLinks links{near, swept_.data(), at0_.data(), count};
  const batch::View& view = motion_.view();
  if (shaped) {
    shapes_.with_room(view, room.room.view(), links, candidates_, options.tolerance, *result_);
  } else {
    certify_.with_room(view, room.room.view(), links, candidates_, options.tolerance, *result_);
  }
}

void PieceCheck::certify_pairs(const Array<batch::LinkPair>& pairs, const PieceOptions& options) {
  const batch::View& view = motion_.view();
  if (view.shapes == nullptr) {
    certify_.of_links(view, pairs, options.tolerance, *result_);
    return;
  }
  flags_.resize(pairs.size());
  device_->launch(pairs.size(), batch::FlagShapedPairs{view, pairs.data(), flags_.data()});
  gather(pairs, shape_pairs_);
  device_->launch(pairs.size(), batch::Opposite{flags_.data()});
  gather(pairs, plain_pairs_);
  certify_.of_links(view, plain_pairs_, options.tolerance, *result_);
  shapes_.of_links(view, shape_pairs_, options.tolerance, *result_);
}

void PieceCheck::check_self(const BatchData& batch, const PieceOptions& options,
                            const std::stop_token& stop) {
  const std::size_t most =
      at_most(options.budget, kPairShare,
              2 * sizeof(batch::LinkPair) + sizeof(std::uint32_t) + bytes_per_pair(motion_.view()));
  const std::span<const batch::LinkPair> all = batch.self_pairs;
  for (std::size_t i = 0; i < all.size() && !stop.stop_requested(); i += most) {
    self_pairs_.upload(all.subspan(i, std::min(most, all.size() - i)));
    flags_.resize(self_pairs_.size());
    device_->launch(self_pairs_.size(),
                    batch::FlagPairs{motion_.view(), motion_.boxes(), self_pairs_.data(),
                                     result_->tallies(), flags_.data()});
    picked_.resize(self_pairs_.size());
    near_pairs_.resize(device_->select(flags_.data(), picked_.data(), self_pairs_.size()));
    device_->launch(
        near_pairs_.size(),
        batch::Gather<batch::LinkPair>{self_pairs_.data(), picked_.data(), near_pairs_.data()});
    certify_pairs(near_pairs_, options);
  }
}

void PieceCheck::check_pairs(const PieceOptions& options, const std::stop_token& stop) {
  if (stop.stop_requested()) return;
  const std::size_t most =
      at_most(options.budget, kPairShare, sizeof(batch::LinkPair) + bytes_per_pair(motion_.view()));
  const batch::View& view = motion_.view();
  const std::uint64_t all =
      broadphase_.count(view, motion_.boxes(), 0, view.step_count, result_->tallies());
  for (std::uint64_t i = 0; i < all && !stop.stop_requested(); i += most) {
    certify_pairs(broadphase_.take(i, std::min<std::uint64_t>(i + most, all)), options);
  }
}

}  // namespace tocsin::cuda
