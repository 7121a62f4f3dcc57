// The call TrackMany: connects one gRPC stream with many Sessions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/crowd/crowd_slot.h"
#include "service/rpc/reused_message.h"
#include "service/rpc/stream_call.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

/// A stream of many sessions. Each is a Session, with an Outlet of its own (CrowdSlot).
///
/// Frames. Those of a message are offered to their sessions, one after the other. While nobody
/// waits for a worker, the thread that reads checks each step at once (Engine::run_here). The other
/// sessions are scheduled together, in groups. When the last of a message or a group has begun, it
/// is *flushed*. While a flush waits, a session that is ready is only noted: the flush writes the
/// reports of all in one message. A session that is ready while none waits, a slow one, is written
/// at once. So hardly anybody waits for another's slow step, and there is no timer.
///
/// Opening. As with TrackCall, but reading goes on meanwhile. The stream may end while a session is
/// being opened: then whoever opened it leaves it.
class CrowdCall final : public StreamCall, public SlotListener {
 public:
  static Reactor* start(Switchboard& board, grpc::CallbackServerContext* context);

  void slot_ready(const std::shared_ptr<CrowdSlot>& slot) override;
  void slot_refused(const std::shared_ptr<CrowdSlot>& slot, const Problem& problem) override;
  [[nodiscard]] std::string client() const override { return peer_; }

 private:
  using StreamCall::StreamCall;
  using Slot = std::shared_ptr<CrowdSlot>;

  /// A flush that waits until its end.
  class Flush {
   public:
    explicit Flush(CrowdCall& call) : call_(call) { call.wait_with_flush(); }
    Flush(const Flush&) = delete;
    Flush& operator=(const Flush&) = delete;
    ~Flush() { call_.flush(); }

   private:
    CrowdCall& call_;
  };

  /// A slot's frame: what is needed of the slot, without the mutex.
  struct Target {
    CrowdSlot* slot = nullptr;
    std::shared_ptr<Session> session;  ///< null: the frame is passed over
    const wire::PoseCodec* codec = nullptr;
  };

  bool enter(grpc::Status& refusal) override;
  void take_message(Time received) override;
  bool write_next(const StreamEvents& events) override;
  void written(bool input_over) override;
  void leave_all(const grpc::Status& status) override;
  void over() override;

  // Reading.
  std::optional<std::string> take(const v1::TrackManyRequest& request, Time received);
  std::optional<std::string> open_soon(const v1::SlotOpening& opening);
  std::optional<grpc::Status> opening_limit();
  void open_now(const Slot& slot, const v1::TrackRequest& request, TakeOver take_over);
  static std::string not_open(std::uint32_t slot);
  // Frames: crowd_frames.cpp.
  std::optional<std::string> take_frames(const v1::SlotFrames& frames, Time received);
  std::optional<std::string> take_frames(const v1::SlotFramesF& frames, Time received);
  template <class Frames>
  std::optional<std::string> take_any(const Frames& frames, Time received);
  std::optional<std::string> find_targets(
      const google::protobuf::RepeatedField<std::uint32_t>& slots);
  std::optional<std::string> find_form(std::size_t rotations, std::size_t translations,
                                       wire::PoseForm& form) const;
  template <class Frames>
  void offer(const Frames& frames, const wire::PoseForm& form, Time received);
  void schedule_due();
  std::optional<std::string> end_slot(std::uint32_t number);
  std::optional<std::string> leave_slot(std::uint32_t number);
  void refuse_opening(const Slot& slot, const grpc::Status& status);
  void refuse_slot(const Slot& slot, const grpc::Status& status);
  void wait_with_flush();
  void flush();

  /// Call under the mutex.
  void list(const Slot& slot);

  // Writing: crowd_writes.cpp.
  struct News;
  bool add_listed(v1::TrackManyResponse& out);
  bool add_slot(const Slot& slot, v1::TrackManyResponse& out, std::size_t& bytes);
  std::size_t add_opened(const Slot& slot, const TrackOpened& opened, v1::TrackManyResponse& out);
  void add_refused(const Slot& slot, const News& news, v1::TrackManyResponse& out);
  void add_ended(const Slot& slot, const News& news, v1::TrackManyResponse& out);
  std::optional<News> news_of(CrowdSlot& slot);
  void close(CrowdSlot& slot);
  void leave_unended();
  bool end_if_empty(const StreamEvents& events);

  bool entered_ = false;  ///< counts among Switchboard::crowds

  // Under the mutex.
  std::vector<Slot> slots_;      ///< by number; null: never used
  std::size_t open_ = 0;         ///< slots that are not over
  std::size_t opening_now_ = 0;  ///< of these, those that are being opened
  std::vector<Slot> listed_;     ///< that have something to send
  std::size_t flushes_ = 0;      ///< that wait
  bool due_ = false;             ///< what is listed is to be sent now
  bool left_ = false;            ///< leave_all() was called
  bool over_ = false;            ///< nothing is listed any more: slots keep the call alive

  // Used by the thread that owns reading.
  ReusedMessage<v1::TrackManyRequest, 16384> request_;
  MemoryBudget::Hold hold_;
  std::vector<Target> targets_;
  std::vector<std::shared_ptr<Session>> due_sessions_;

  // Used by the write owner.
  grpc::ByteBuffer outgoing_;
  ReusedMessage<v1::TrackManyResponse, 16384> response_;
  std::vector<Slot> taken_;          ///< from listed_; reused
  std::vector<TrackReport> pulled_;  ///< of a slot; reused
  std::vector<Slot> sending_;        ///< whose ids are in the write under way
  bool closing_sent_ = false;
  bool left_unended_ = false;
};

}  // namespace tocsin::service
