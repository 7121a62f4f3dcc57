#include "gpu/cuda/stages/batch_checker.h"

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/batch/layout.h"
#include "core/query/hull_walk.h"
#include "gpu/cuda/stages/check_pieces.h"
#include "gpu/cuda/stages/device_room.h"
#include "gpu/cuda/stages/kdop_bvh.h"
#include "gpu/cuda/stages/piece_check.h"
#include "scene/tree/contact_order.h"

namespace tocsin::cuda {

namespace {

using core::batch::ContactRecord;

/// Puts what a device found into words.
Contact contact_of(const ContactRecord& record, const BatchData& batch, std::size_t first_item) {
  const auto place = [&](std::uint32_t link) {
    const std::uint32_t step = batch.step_of_link[link];
    return std::pair(step, static_cast<std::int32_t>(link - batch.steps[step].first_link));
  };
  Contact out;
  out.link = place(record.link).second;
  out.touched = RoomTriangle{record.object, record.triangle};
  out.status = static_cast<ContactStatus>(record.status);
  out.toc = {record.lo, record.hi};
  if (record.place_time > record.lo) out.touching = {record.place_time, record.hi};
  out.point = record.point;
  if (record.has_normal != 0) out.normal = record.normal;
  if (record.link_feature != core::batch::kNone) out.link_feature = record.link_feature;
  if (record.other_feature != core::batch::kNone) out.other_feature = record.other_feature;
  out.limited = record.limited != 0;
  if (record.other != core::batch::kNone) {
    const auto [step, link] = place(record.other);
    out.touched = OtherLink{static_cast<std::int32_t>(first_item + step), link};
  }
  return out;
}

void add_tally(const core::batch::StepTally& tally, StepCounters& counters) {
  counters.near_links = tally.near_links;
  counters.candidates = tally.candidates;
  counters.evaluations = tally.evaluations;
  counters.volume_tests = tally.volume_tests;
  counters.primitive_tests = tally.primitive_tests;
  counters.link_pairs = tally.link_pairs;
}

/// The records of each step, by their indices: those of step i are order[begin[i]] to
/// order[begin[i + 1] - 1].
struct ByStep {
  explicit ByStep(const PieceFound& piece)
      : begin(piece.tallies.size() + 1, 0), order(piece.records.size()) {
    const std::span<const ContactRecord> records = piece.records;
    const auto step_of = [&](const ContactRecord& r) {
      return static_cast<std::size_t>(piece.batch.step_of_link[r.link]);
    };
    for (const ContactRecord& record : records) ++begin[step_of(record) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < records.size(); ++i) order[next[step_of(records[i])]++] = i;
  }
  std::vector<std::size_t> begin;
  std::vector<std::size_t> order;
};

/// From a piece's records to the answers of its items.
void answer(const PieceFound& piece, std::size_t first_item, std::span<BatchAnswer> answers) {
  const Error given_up{
      ErrorCode::kResource,
      fmt::format("a device gave up a search of shapes after {} tests", core::kMostWalk)};
  const ByStep records(piece);
  constexpr std::size_t kStretch = 64;  // answers that are worth handing out
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, answers.size(), kStretch),
                    [&](const auto& range) {
                      for (std::size_t i = range.begin(); i < range.end(); ++i) {
                        answers[i] = {};
                        if (piece.tallies[i].given_up > 0) {
                          answers[i].left = given_up;
                          continue;
                        }
                        add_tally(piece.tallies[i], answers[i].counters);
                        const std::size_t count = records.begin[i + 1] - records.begin[i];
                        answers[i].contacts.reserve(count);
                        for (std::size_t k = records.begin[i]; k < records.begin[i + 1]; ++k) {
                          answers[i].contacts.push_back(
                              contact_of(piece.records[records.order[k]], piece.batch, first_item));
                        }
                        scene::sort_contacts(answers[i].contacts);
                      }
                    });
}

}  // namespace

/// A room with its tree, shared by checkers with other options.
struct SharedRoom {
  SharedRoom(const std::shared_ptr<Device>& device, const Environment& environment)
      : room(device, environment), objects(environment.objects().size()) {}
  DeviceRoom room;
  std::size_t objects;
  std::unique_ptr<KdopBvh> tree;
  bool asked = false;  ///< a thread checks with it now
};

/// What check() is asked.
struct Batch {
  std::span<const BatchItem> items;
  bool meet;
  const std::stop_token& stop;
  std::span<BatchAnswer> answers;
  std::size_t first;
};

struct BatchChecker::Parts final : MemoryKeeper {
  std::shared_ptr<Device> device;
  std::shared_ptr<SharedRoom> room;
  CheckerOptions options;
  std::size_t budget = 0;  ///< bytes of the device that a piece may take
  std::unique_ptr<PieceCheck> piece;
  std::size_t piece_bytes =
      0;                  ///< of the device, that the piece and its questions to the tree take
  bool checking = false;  ///< the piece is in use
  bool measured = false;
  std::array<StageCost, kStages> costs{};

  /// While the piece is in use: what it allocates is its own, and is not taken away.
  struct Checking {
    explicit Checking(Parts& checker)
        : parts(checker), charge(checker.device->charge(checker.piece_bytes)) {
      parts.checking = parts.room->asked = true;
    }
    Checking(const Checking&) = delete;
    Checking& operator=(const Checking&) = delete;
    ~Checking() { parts.checking = parts.room->asked = false; }
    Parts& parts;
    detail::Charge charge;
  };

  /// A checker that has its room, but has checked nothing yet.
  static std::shared_ptr<BatchChecker> make(std::shared_ptr<Device> device,
                                            std::shared_ptr<SharedRoom> room,
                                            const CheckerOptions& options) {
    auto parts = std::make_unique<Parts>();
    parts->budget = device->free_memory();
    parts->device = std::move(device);
    parts->room = std::move(room);
    parts->options = options;
    parts->device->memory().enter(*parts);
    return std::shared_ptr<BatchChecker>(new BatchChecker(std::move(parts)));
  }

  ~Parts() override {
    if (device) device->memory().leave(*this);
  }
  [[nodiscard]] std::size_t kept() const override { return checking ? 0 : piece_bytes; }
  void give_back() noexcept override {
    if (!checking) drop_piece();
  }
  void drop_piece() noexcept {
    {
      const auto charge = device->charge(piece_bytes);
      piece.reset();
      if (checking || !room->asked) room->tree->forget();
    }
    piece_bytes = 0;
  }

  /// How many of the items make up the next piece, of no more than `most` and `most_bytes`: whole
  /// groups if they meet, at least one item or group.
  [[nodiscard]] std::size_t piece_size(std::span<const BatchItem> items, bool meet,
                                       std::size_t most, std::size_t most_bytes) const {
    std::size_t bytes = 0;
    std::size_t count = 0;
    std::unordered_set<const void*> shapes;  // each is there once
    const Link* last = nullptr;
    while (count < items.size()) {
      std::size_t next = count + 1;
      while (meet && next < items.size() && items[next].group == items[count].group) ++next;
      for (std::size_t i = count; i < next; ++i) {
        bytes += BatchData::bytes_of(items[i], room->objects);
        const Link* const links = items[i].avatar->links().data();
        if (links == last) continue;  // copies of an avatar share their links
        last = links;
        bytes += ModelTable::shape_bytes(*items[i].avatar, shapes);
      }
      if (count > 0 && (next > most || bytes > most_bytes)) break;
      count = next;
    }
    return count;
  }

  /// Checks items piece by piece, and answers them; false: `stop` came. Throws what a piece throws;
  /// `done` items are answered then.
  bool check_pieces(const Batch& batch, bool overlap, std::size_t most, std::size_t& done) {
    const Checking now(*this);
    try {
      if (!piece) {
        budget = device->free_memory();
        piece = std::make_unique<PieceCheck>(device, measured ? &costs : nullptr);
      }
      const std::size_t from = done;
      const std::size_t bytes = budget / kPieceShare / (overlap ? MotionStage::kPlaces : 1);
      const PieceRoom where{room->room, *room->tree, room->objects};
      return cuda::check_pieces(
          *piece,
          {where,
           batch.items.subspan(from),
           {options.margin, options.tolerance, budget, batch.meet, options.traversal.traversals},
           batch.stop,
           overlap,
           [&](std::size_t begin) {
             return piece_size(batch.items.subspan(from + begin), batch.meet, most, bytes);
           },
           [&](const PieceFound& found, std::size_t begin, std::size_t count) {
             answer(found, batch.first + from + begin, batch.answers.subspan(from + begin, count));
             done = from + begin + count;
           }});
    } catch (...) {
      drop_piece();
      throw;
    }
  }

  /// What does not fit is tried again with less at once: without overlap, and with all memory that
  /// there is by now (others may have grown); then half of it; then not at all.
  Status check(const Batch& batch, std::size_t& done) {
    std::size_t most = options.most_steps;
    bool overlap = !measured && options.pieces > 1 && device->works_beside();
    while (done < batch.items.size()) {
      const std::size_t left = batch.items.size() - done;
      const std::size_t a_piece =
          overlap ? std::max(options.least_steps, (left + options.pieces - 1) / options.pieces)
                  : left;
      const bool new_budget = piece == nullptr;
      const std::size_t before = done;
      try {
        if (check_pieces(batch, overlap, std::min(most, a_piece), done)) return Nothing{};
        return {ErrorCode::kCancelled, "stopped before the last step"};
      } catch (const Failure& failure) {
        if (failure.kind() != FailureKind::kMemory) throw;
        if (!new_budget || done > before || overlap) {
          overlap = false;
          continue;
        }
        const std::span<const BatchItem> items = batch.items.subspan(done);
        const std::size_t count = piece_size(items, batch.meet, most, budget / kPieceShare);
        const std::size_t alone = piece_size(items.first(count), batch.meet, 1, 0);
        if (alone < count) {
          most = count / 2;
          continue;
        }
        for (BatchAnswer& a : batch.answers.subspan(done, count)) a = {{}, {}, failure.error()};
        done += count;
      }
    }
    return Nothing{};
  }

  /// Arrays of the piece, links and candidates each get their share of the budget.
  static constexpr std::size_t kPieceShare = 3;
};

BatchChecker::BatchChecker(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
BatchChecker::~BatchChecker() {
  const std::lock_guard lock(parts_->device->in_use());
  parts_->drop_piece();
  parts_->room.reset();
}

Result<std::shared_ptr<BatchChecker>> BatchChecker::create(std::shared_ptr<Device> device,
                                                           const Environment& environment,
                                                           const CheckerOptions& options) {
  try {
    const std::lock_guard lock(device->in_use());
    auto room = std::make_shared<SharedRoom>(device, environment);
    room->tree = KdopBvh::build(device, room->room.view(), options.k, options.traversal.lane_bits);
    return Parts::make(device, std::move(room), options);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<std::shared_ptr<BatchChecker>> BatchChecker::with_environment(
    const Environment& environment) const {
  const std::lock_guard lock(parts_->device->in_use());
  try {
    auto room = std::make_shared<SharedRoom>(parts_->device, environment);
    room->tree = parts_->room->tree->copy();
    room->tree->refit(room->room.view());
    return Parts::make(parts_->device, std::move(room), parts_->options);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Result<std::shared_ptr<BatchChecker>> BatchChecker::with_options(
    const CheckerOptions& options) const {
  const std::lock_guard lock(parts_->device->in_use());
  try {
    CheckerOptions same_tree = options;
    same_tree.k = parts_->options.k;
    same_tree.traversal.lane_bits = parts_->options.traversal.lane_bits;
    return Parts::make(parts_->device, parts_->room, same_tree);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

Status BatchChecker::check(std::span<const BatchItem> items, bool meet, const std::stop_token& stop,
                           std::span<BatchAnswer> answers, std::size_t& done, std::size_t first) {
  const std::lock_guard lock(parts_->device->in_use());
  done = 0;
  try {
    return parts_->check({items, meet, stop, answers, first}, done);
  } catch (const Failure& failure) {
    return failure.error();
  }
}

const Device& BatchChecker::device() const { return *parts_->device; }

std::size_t BatchChecker::tree_bytes() const { return parts_->room->tree->bytes(); }

void BatchChecker::measure(bool on) {
  const std::lock_guard lock(parts_->device->in_use());
  parts_->measured = on;
  parts_->costs = {};
  parts_->drop_piece();
}

std::array<StageCost, kStages> BatchChecker::costs() const {
  const std::lock_guard lock(parts_->device->in_use());
  return parts_->costs;
}

}  // namespace tocsin::cuda
