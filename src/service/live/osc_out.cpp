#include "service/live/osc_out.h"

#include <array>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include "mocap/osc.h"
#include "service/live/touch.h"

namespace tocsin::service {
namespace {

/// What is touched: the object's name, or the other avatar's label and its link's name.
std::string object_text(const ContactNames& names) {
  if (!names.object.empty()) return names.object;
  return names.other_label.empty() ? names.other_link : names.other_label + "/" + names.other_link;
}

}  // namespace

struct OscOut::Message {
  std::string_view state;
  std::string_view session;
  const Touch& touch;
  double speed = 0.0;
  double depth = 0.0;
};

Result<std::shared_ptr<OscOut>> OscOut::to(const std::string& target) {
  auto sender = UdpSender::to(target);
  if (!sender) return sender.error();
  return std::shared_ptr<OscOut>(new OscOut(std::move(sender).value()));
}

void OscOut::stepped_at(const SessionIdentity& session, const Step& step, const TrackReport& report,
                        const MemberCards& others, Time now) {
  try {
    const std::scoped_lock lock(mutex_);
    const std::string name = session.shown();
    const auto known = sessions_.find(name);
    const bool nothing = report.result.contacts.empty() && !report.ahead;
    if (known == sessions_.end() && nothing) return;
    Touches& touches = known == sessions_.end() ? sessions_[name] : known->second;
    take(touches, session, step, report, others, now);
    take_ahead(touches, session, report, others, now);
    if (touches.pairs.empty() && touches.ahead.empty()) sessions_.erase(name);
  } catch (const std::bad_alloc&) {  // the next step tells it
  }
}

void OscOut::take(Touches& touches, const SessionIdentity& session, const Step& step,
                  const TrackReport& report, const MemberCards& others, Time now) {
  const std::string name = session.shown();
  touches.last = now;
  ++touches.steps;
  for (const Contact& contact : report.result.contacts) {
    const auto [at, begins] = touches.pairs.try_emplace({contact.link, contact.party()});
    Touch& touch = at->second;
    touch.point = contact.point;
    touch.step = touches.steps;
    const std::chrono::duration<double> since = now - touch.told;
    if (!begins && since.count() < 1.0 / kHoldsPerSecond) continue;
    if (begins) {
      const ContactNames names = session.names_of(contact, others);
      touch.link = names.link;
      touch.object = object_text(names);
    }
    touch.told = now;
    Message message{begins ? "begin" : "hold", name, touch};
    if (begins) message.speed = approach_speed(session.avatar, step, contact);
    if (const RoomTriangle* const of = contact.room()) {
      message.depth =
          depth_at_end(*session.room, session.avatar, step, contact.link, of->object).value_or(0.0);
    }
    send(message, now);
  }
  for (auto at = touches.pairs.begin(); at != touches.pairs.end();) {
    const bool over = at->second.step != touches.steps;
    if (over) send({"end", name, at->second}, now);
    at = over ? touches.pairs.erase(at) : std::next(at);
  }
}

void OscOut::take_ahead(Touches& touches, const SessionIdentity& session, const TrackReport& report,
                        const MemberCards& others, Time now) {
  // It stood still at a meeting's tick: nothing was predicted, and nothing has changed.
  if (report.tick && report.to == report.from) return;
  const std::string name = session.shown();
  if (report.ahead) {
    for (const ForeseenContact& one : report.ahead->contacts) {
      const auto [at, begins] = touches.ahead.try_emplace({one.contact.link, one.contact.party()});
      Alarm& alarm = at->second;
      alarm.point = one.contact.point;
      alarm.seen = now;
      const std::chrono::duration<double> since = now - alarm.told;
      if (!begins && since.count() < 1.0 / kHoldsPerSecond) continue;
      if (begins) {
        const ContactNames names = session.names_of(one.contact, others);
        alarm.link = names.link;
        alarm.object = object_text(names);
      }
      alarm.told = now;
      send_ahead(begins ? "begin" : "hold", name, alarm, one.time_to_go, now);
    }
  }
  for (auto at = touches.ahead.begin(); at != touches.ahead.end();) {
    const bool missing = at->second.seen != now;
    const bool over =
        missing && (touches.pairs.count(at->first) > 0 || now - at->second.seen >= kLinger);
    if (over) send_ahead("end", name, at->second, 0.0, now);
    at = over ? touches.ahead.erase(at) : std::next(at);
  }
}

void OscOut::send(const Message& message, Time now) {
  const auto number = [](double x) { return static_cast<float>(x); };
  const Touch& touch = message.touch;
  const std::array<mocap::OscArgument, 9> values{message.state,
                                                 message.session,
                                                 std::string_view(touch.link),
                                                 std::string_view(touch.object),
                                                 number(message.speed),
                                                 number(touch.point.x),
                                                 number(touch.point.y),
                                                 number(touch.point.z),
                                                 number(message.depth)};
  send_bytes(mocap::osc_message("/tocsin/contact", values),
             message.state == "hold" ? 0.5 * kPerSecond : kPerSecond, now);
}

void OscOut::send_ahead(std::string_view state, std::string_view session, const Alarm& alarm,
                        double seconds, Time now) {
  const auto number = [](double x) { return static_cast<float>(x); };
  const std::array<mocap::OscArgument, 8> values{state,
                                                 session,
                                                 std::string_view(alarm.link),
                                                 std::string_view(alarm.object),
                                                 number(seconds),
                                                 number(alarm.point.x),
                                                 number(alarm.point.y),
                                                 number(alarm.point.z)};
  send_bytes(mocap::osc_message("/tocsin/ahead", values),
             (state == "hold" ? 0.5 : 0.75) * kPerSecond, now);
}

/// `most`: messages of this kind are only sent while fewer were sent lately (LeakyCounter::take).
void OscOut::send_bytes(const std::string& message, double most, Time now) {
  if (!rate_.take(most, now)) return counts_->left_out.add();
  const bool taken = to_->try_send(message);
  (taken ? counts_->sent : counts_->failed).add();
}

void OscOut::end_all(const std::string& session, Touches& touches, Time now) {
  for (const auto& pair : touches.pairs) send({"end", session, pair.second}, now);
  for (const auto& pair : touches.ahead) send_ahead("end", session, pair.second, 0.0, now);
}

void OscOut::sweep(Time now) {
  const std::scoped_lock lock(mutex_);
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    const bool silent = now - at->second.last > kSilence;
    if (silent) end_all(at->first, at->second, now);
    at = silent ? sessions_.erase(at) : std::next(at);
  }
}

void OscOut::finish(Time now) {
  const std::scoped_lock lock(mutex_);
  for (auto& session : sessions_) end_all(session.first, session.second, now);
  sessions_.clear();
}

}  // namespace tocsin::service
