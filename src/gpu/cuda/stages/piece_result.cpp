#include "gpu/cuda/stages/piece_result.h"

#include <utility>

namespace tocsin::cuda {

PieceResult::PieceResult(std::shared_ptr<Device> device)
    : device_(std::move(device)),
      tallies_(device_),
      lists_{List(device_), List(device_)},
      records_(device_),
      tallied_(device_),
      written_(device_),
      arrived_(device_) {}

void PieceResult::begin(std::size_t steps) {
  arrived_.wait();  // a piece of a stopped batch may still be copied
  records_.resize(0);
  tallied_.resize(steps);
  tallies_.resize(steps);
  tallies_.fill(0);
}

core::batch::ContactRecord* PieceResult::room_for(std::size_t contacts) {
  List& list = lists_[next_];
  list.copied.wait_in(Stream::kWork);
  list.records.resize(contacts);
  return list.records.data();
}

void PieceResult::after_work() {
  written_.record(Stream::kWork);
  written_.wait_in(Stream::kDown);
}

void PieceResult::send() {
  List& list = lists_[next_];
  if (list.records.empty()) return;
  const std::size_t before = records_.size();
  if (records_.capacity() < before + list.records.size()) arrived_.wait();
  records_.grow(before + list.records.size());
  after_work();
  device_->download(Stream::kDown, records_.data() + before, list.records.data(),
                    list.records.size() * sizeof(core::batch::ContactRecord));
  list.copied.record(Stream::kDown);
  arrived_.record(Stream::kDown);
  next_ = (next_ + 1) % lists_.size();
}

void PieceResult::end() {
  after_work();
  device_->download(Stream::kDown, tallied_.data(), tallies_.data(),
                    tallied_.size() * sizeof(core::batch::StepTally));
  arrived_.record(Stream::kDown);
}

}  // namespace tocsin::cuda
