// A session's place on a stream of many.
#pragma once

#include <grpcpp/support/status.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "service/rpc/open_session.h"
#include "service/session/delivery.h"
#include "tocsin/track.h"
#include "wire/crowds.h"

namespace tocsin::service {

class CrowdSlot;

/// What a slot tells its stream. Its functions do not block or throw.
class SlotListener {
 public:
  virtual ~SlotListener() = default;
  /// There is something to send for the slot.
  virtual void slot_ready(const std::shared_ptr<CrowdSlot>& slot) = 0;
  /// Its session must end here. Reports can still be pulled first, but for kTakenOver.
  virtual void slot_refused(const std::shared_ptr<CrowdSlot>& slot, const Problem& problem) = 0;
  [[nodiscard]] virtual std::string client() const = 0;
};

enum class SlotState : std::uint8_t { kOpening, kOpen, kOver };

/// The mutex of the stream guards what is not said otherwise.
class CrowdSlot final : public Outlet, public std::enable_shared_from_this<CrowdSlot> {
 public:
  CrowdSlot(std::uint32_t slot_number, std::shared_ptr<SlotListener> listener)
      : number(slot_number), listener_(std::move(listener)) {}

  void ready() override { listener_->slot_ready(shared_from_this()); }
  void refuse(const Problem& problem) override {
    listener_->slot_refused(shared_from_this(), problem);
  }
  [[nodiscard]] std::string peer() const override { return listener_->client(); }

  const std::uint32_t number;
  SlotState state = SlotState::kOpening;
  bool listed = false;  ///< among those that have something to send
  bool ending = false;  ///< the client sends no more frames
  bool resumed = false;
  std::optional<grpc::Status> refused;
  /// Set once, when it opens. The session goes when the slot is over; the codec stays, for frames
  /// that the client sent before it knew. The write owner sets `id_sent`.
  StreamSession stream;
  std::optional<TrackOpened> opened;  ///< until it is sent

  wire::SlotTold told;  ///< of the write owner

 private:
  const std::shared_ptr<SlotListener> listener_;  ///< the stream lets go of its slots at its end
};

}  // namespace tocsin::service
