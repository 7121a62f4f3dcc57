#include "gpu/cuda/contacts/piece_result.h"

#include <utility>

namespace tocsin::cuda {

PieceResult::PieceResult(std::shared_ptr<Device> device)
    : device_(std::move(device)),
      tallies_(device_),
      lists_{List(device_), List(device_)},
      count_(device_),
      known_(device_),
      records_(device_),
      tallied_(device_),
      all_written_(device_),
      arrived_(device_) {}

void PieceResult::begin(std::size_t steps) {
  arrived_.wait();  // a piece of a stopped batch may still be copied
  pending_ = false;
  records_.resize(0);
  tallied_.resize(steps);
  tallies_.resize(steps);
  tallies_.fill(0);
  count_.resize(1);
  known_.resize(1);
}

PieceResult::Room PieceResult::room_for(std::size_t most) {
  settle();
  List& list = lists_[next_];
  list.copied.wait_in(Stream::kWork);
  list.records.resize(most);
  return {list.records.data(), count_.data()};
}

void PieceResult::written() {
  List& list = lists_[next_];
  device_->download(Stream::kWork, known_.data(), count_.data(), sizeof(std::uint64_t));
  list.written.record(Stream::kWork);
  waits_before_ = device_->waits_for_work();
  pending_ = true;
  next_ = 1 - next_;
}

void PieceResult::send() {
  List* const list = pending();
  if (list == nullptr || device_->waits_for_work() == waits_before_) return;
  pending_ = false;
  copy(*list, static_cast<std::size_t>(known_[0]));
}

void PieceResult::settle() {
  List* const list = pending();
  if (list == nullptr) return;
  if (device_->waits_for_work() == waits_before_) list->written.wait();
  pending_ = false;
  copy(*list, static_cast<std::size_t>(known_[0]));
}

void PieceResult::copy(List& list, std::size_t contacts) {
  if (contacts == 0) return;
  const std::size_t before = records_.size();
  if (records_.capacity() < before + contacts) arrived_.wait();
  records_.grow(before + contacts);
  list.written.wait_in(Stream::kDown);
  device_->download(Stream::kDown, records_.data() + before, list.records.data(),
                    contacts * sizeof(core::batch::ContactRecord));
  list.copied.record(Stream::kDown);
  arrived_.record(Stream::kDown);
}

void PieceResult::end() {
  settle();
  all_written_.record(Stream::kWork);
  all_written_.wait_in(Stream::kDown);
  device_->download(Stream::kDown, tallied_.data(), tallies_.data(),
                    tallied_.size() * sizeof(core::batch::StepTally));
  arrived_.record(Stream::kDown);
}

}  // namespace tocsin::cuda
