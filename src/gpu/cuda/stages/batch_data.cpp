#include "gpu/cuda/stages/batch_data.h"

#include <algorithm>
#include <bit>

#include "core/motion/joint_motion.h"
#include "core/motion/surroundings.h"
#include "gpu/cuda/device/failure.h"
#include "gpu/cuda/stages/for_each_item.h"

namespace tocsin::cuda {

namespace {

using core::batch::BatchStep;
using core::batch::kNone;
using core::batch::Model;

/// What broadphase and selection need per step and per link, bytes: 60 and 29 (near, kept, marked,
/// flag, picked; counts), rounded up. Too little, and batches are too large for their device: they
/// are split once more.
constexpr std::size_t kSelectStep = 64;
constexpr std::size_t kSelectLink = 48;

}  // namespace

void BatchData::set(std::span<const BatchItem> items, std::uint32_t group_count,
                    std::size_t objects, double added_margin, std::size_t first) {
  wait_for_copies();
  margin = added_margin;
  if (owns_models_) models.forget_spare(items.size());
  std::vector<std::uint32_t>& last = models.last_of_item;
  if (last.size() < first + items.size()) last.resize(first + items.size(), kNone);
  model_of_ = std::span(last).subspan(first, items.size());
  try {
    lay_out(items, group_count, objects);
  } catch (...) {
    models.clear();  // one of them may be half there
    throw;
  }
}

void BatchData::lay_out(std::span<const BatchItem> items, std::uint32_t group_count,
                        std::size_t objects) {
  known_.resize(items.size());
  guess_models(items);
  find_models(items);
  find_refs();
  number(items, group_count);
  place_masks(items, objects);
  place_poses();
  fill(items);
}

void BatchData::guess_models(std::span<const BatchItem> items) {
  for_each_item(items.size(), [&](std::size_t i) {
    known_[i] = {items[i].step->pose0().data(), items[i].step->pose1().data(), 0, {}};
    if (i == 0 || items[i - 1].avatar != items[i].avatar) guess_model(items[i], i);
  });
}

void BatchData::guess_model(const BatchItem& item, std::size_t i) {
  std::uint32_t& model = model_of_[i];
  if (model < models.models().size() && models.is(model, *item.avatar)) return;
  model = kNone;
  known_[i].hash = ModelTable::hash(*item.avatar);
}

void BatchData::find_models(std::span<const BatchItem> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0 && items[i - 1].avatar == items[i].avatar) {
      model_of_[i] = model_of_[i - 1];
    } else if (model_of_[i] == kNone) {
      model_of_[i] = models.find(*items[i].avatar, known_[i].hash);
    }
  }
}

void BatchData::find_refs() {
  for_each_item(known_.size(), [&](std::size_t i) {
    core::Box& refs = known_[i].refs;
    for (const std::int32_t root : models.roots(model_of_[i])) {
      const Vec3 ref = core::reference_point(known_[i].pose0[root].translation);
      refs = join(refs, core::grown_box(ref, ref, 0.0));
    }
  });
}

void BatchData::number(std::span<const BatchItem> items, std::uint32_t group_count) {
  steps.resize(items.size());
  groups.resize(group_count);
  std::ranges::fill(groups, core::batch::Group{});
  first_pair_.resize(items.size());
  std::uint64_t link_count = 0;
  std::uint64_t joints = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Model& model = models.models()[model_of_[i]];
    BatchStep& step = steps[i];
    step = {};
    step.model = model_of_[i];
    step.first_link = static_cast<std::uint32_t>(link_count);
    step.first_joint = static_cast<std::uint32_t>(joints);
    step.group = items[i].group;
    step.in_between = items[i].step->in_between();
    core::Box& refs = groups[step.group].refs;
    refs = join(refs, known_[i].refs);
    link_count += model.link_count;
    joints += model.joint_count;
    first_pair_[i] = pairs;
    pairs += items[i].self->size();
  }
  joint_count = counted(joints, "joints");
  step_of_link.resize(counted(link_count, "links"));
  self_pairs.resize(pairs);
}

void BatchData::place_masks(std::span<const BatchItem> items, std::size_t objects) {
  const std::span<const std::uint32_t> first = mask_finder_.find(items, objects);
  std::uint64_t end = 0;
  tables_.clear();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (first[i] == kNone) continue;
    if (first[i] == i) {
      steps[i].mask = counted(end, "inactive pairs");
      tables_.push_back(i);
      end += items[i].avatar->links().size() * objects;
    } else {
      steps[i].mask = steps[first[i]].mask;
    }
  }
  masks.resize(counted(end, "inactive pairs"));
  for_each_item(tables_.size(), [&](std::size_t t) {
    const std::size_t i = tables_[t];
    MaskFinder::write(items[i], objects, masks.data() + steps[i].mask);
  });
}

void BatchData::place_poses() {
  copies_.clear();
  std::uint64_t end = 0;
  const auto place = [&](const Transform* pose, std::uint32_t model) {
    const auto at = static_cast<std::uint32_t>(end);
    copies_.push_back({pose, at, model});
    end += models.models()[model].joint_count;
    return at;
  };
  // Where steps of one avatar follow each other, a step begins where the one before has ended. Else
  // it may have been any: these ends are looked up.
  bool looked_up = false;
  const auto ends = [&]() -> IndexTable& {
    if (!looked_up) step_of_end_.reset(steps.size());
    looked_up = true;
    return step_of_end_;
  };
  const auto hash_of = [](const Transform* pose, std::uint32_t model) {
    return std::bit_cast<std::uintptr_t>(pose) ^ (std::uint64_t{model} << 48U);
  };
  const auto goes_on = [&](std::size_t i) {
    return i + 1 < steps.size() && known_[i + 1].pose0 == known_[i].pose1 &&
           model_of_[i + 1] == model_of_[i];
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::uint32_t model = model_of_[i];
    const auto [pose0, pose1] = std::pair(known_[i].pose0, known_[i].pose1);
    const auto before = [&](const Transform* pose, std::uint32_t& at) {
      if (i == 0 || model_of_[i - 1] != model) return false;
      if (known_[i - 1].pose1 == pose) at = steps[i - 1].pose1;
      if (known_[i - 1].pose0 == pose) at = steps[i - 1].pose0;
      return known_[i - 1].pose1 == pose || known_[i - 1].pose0 == pose;
    };
    const auto ends_in = [&](const Transform* pose) {
      return [&, pose](std::size_t j) { return known_[j].pose1 == pose && model_of_[j] == model; };
    };
    if (!before(pose0, steps[i].pose0)) {
      const std::uint32_t j = ends().find(hash_of(pose0, model), ends_in(pose0));
      steps[i].pose0 = j != kNone ? steps[j].pose1 : place(pose0, model);
    }
    if (pose1 == pose0) {
      steps[i].pose1 = steps[i].pose0;
    } else if (!before(pose1, steps[i].pose1)) {
      const auto self = static_cast<std::uint32_t>(i);
      const std::uint32_t j =
          goes_on(i) ? self : ends().find_or_add(hash_of(pose1, model), self, ends_in(pose1));
      steps[i].pose1 = j != self ? steps[j].pose1 : place(pose1, model);
    }
  }
  poses.resize(counted(end, "poses of joints"));
}

void BatchData::fill(std::span<const BatchItem> items) {
  for_each_item(copies_.size(), [&](std::size_t i) {
    const Copy& copy = copies_[i];
    const std::span<const std::int32_t> used = models.used(copy.model);
    Transform* const to = poses.data() + copy.to;
    for (std::size_t k = 0; k < used.size(); ++k) to[k] = copy.from[used[k]];
  });
  for_each_item(items.size(), [&](std::size_t i) {
    const BatchStep& step = steps[i];
    const std::uint32_t count = models.models()[step.model].link_count;
    std::fill_n(step_of_link.begin() + static_cast<std::ptrdiff_t>(step.first_link), count,
                static_cast<std::uint32_t>(i));
    const LinkPairs& self = *items[i].self;
    std::size_t at = first_pair_[i];
    const std::size_t end = at + self.size();
    for (std::uint32_t p = 0; p < count && at < end; ++p) {
      for (std::uint32_t q = p + 1; q < count && at < end; ++q) {
        if (!self.active(static_cast<std::int32_t>(p), static_cast<std::int32_t>(q))) continue;
        self_pairs[at++] = {step.first_link + p, step.first_link + q};
      }
    }
  });
}

std::size_t BatchData::bytes_of(const BatchItem& item, std::size_t objects) {
  const std::size_t links = item.avatar->links().size();
  const std::size_t joints = item.avatar->skeleton().joints().size();
  // The most, if no other avatar shares its model: chains of all links, root to tip.
  const std::size_t model =
      sizeof(Model) + joints * sizeof(std::int32_t) +
      links * (sizeof(core::batch::ModelLink) + joints * sizeof(std::int32_t));
  const std::size_t step = sizeof(BatchStep) + sizeof(core::batch::Group) +
                           sizeof(core::batch::StepTally) + 2 * joints * sizeof(Transform) +
                           kSelectStep;
  const std::size_t mask = item.active->all() ? 0 : links * objects;
  const std::size_t a_joint = sizeof(core::JointMotion) + sizeof(std::uint32_t);
  const std::size_t a_link = sizeof(core::Box) + sizeof(std::uint32_t) + kSelectLink;
  return model + step + mask + joints * a_joint + links * a_link;
}

}  // namespace tocsin::cuda
