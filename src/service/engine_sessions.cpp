// How sessions begin: opened, resumed, or taken over from the record that another server left.
#include <fmt/format.h>

#include <new>
#include <system_error>
#include <utility>

#include "base/sha256.h"
#include "service/engine_state.h"
#include "service/records/past_session.h"
#include "service/records/record_files.h"
#include "service/rooms/loaded_shapes.h"
#include "service/session/session_id.h"

namespace tocsin::service {
namespace {

Problem engine_closes() { return {Refusal::kClosing, "the server is shutting down"}; }

/// Another principal's session is not found: its existence is not revealed.
Problem no_such_session() {
  return {Refusal::kNotFound, "there is no such session, or not any more"};
}

/// Where records find the shapes.
std::vector<RoomFile> kept_shapes(const FoundShapes& shapes) {
  std::vector<RoomFile> out;
  for (const auto& shape : shapes.of) out.push_back(shape->files.front());
  return out;
}

std::uint64_t bytes_of(const std::vector<std::filesystem::path>& files) {
  std::uint64_t out = 0;
  for (const auto& file : files) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    if (!error) out += size;
  }
  return out;
}

}  // namespace

std::optional<Problem> Engine::State::limit(const Principal& principal, SessionSlot& slot,
                                            std::shared_ptr<const Room> room,
                                            std::shared_ptr<Principal> owner,
                                            std::vector<std::shared_ptr<const Room>> shapes) {
  const std::lock_guard lock(mutex);  // slots are only taken under it
  if (auto full = full_for(principal)) return full;
  slot = SessionSlot(std::move(room), std::move(owner), slots, std::move(shapes));
  return std::nullopt;
}

std::optional<Problem> Engine::State::full_for(const Principal& principal) const {
  if (closing) return engine_closes();
  if (*slots >= options.most_sessions) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("there are {} sessions already, as many as this server takes",
                               options.most_sessions)};
  }
  if (principal.used->sessions >= principal.limits.sessions) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("\"{}\" has {} sessions already, as many as it may (sessions)",
                               principal.name, principal.limits.sessions)};
  }
  return std::nullopt;
}

std::uint64_t Engine::State::next_number() {
  const std::lock_guard lock(mutex);
  return ++numbers;
}

void Engine::State::equip(SessionParts& parts) const {
  parts.limits = options.limits;
  parts.log = options.log;
  parts.metrics = metrics;
  parts.events = events;
  parts.steps = options.steps;
  parts.watch = watch;
  parts.record_required = options.record_rules.required;
}

MakeRecorder Engine::State::recorder(const SessionParts& parts, const TrackOptions& recorded,
                                     const std::string& stem, io::SessionHead session,
                                     KeptModel model) const {
  if (!records) return nullptr;
  session.id_sha256 = base::sha256_hex(parts.id);
  session.principal = parts.principal->name;
  return [this, &recorded, stem, session = std::move(session), room = parts.room,
          model = std::move(model)](const Avatar& avatar, const std::vector<std::string>& ignore,
                                    const SceneState* first) {
    TrackOptions kept = recorded;
    kept.spec.ignore = ignore;
    return Recorder::create(options.record, stem, kept, avatar, *room, session, records, model,
                            first);
  };
}

bool Engine::State::rejoin(const PastMeeting& past, std::uint64_t number, SessionParts& parts) {
  parts.meeting = meetings.of(parts.room, parts.principal->circle());
  if (parts.meeting->tick_seconds() != past.tick_seconds) return false;
  parts.number = static_cast<std::uint32_t>(number);
  parts.past_tick = past.tick;
  parts.meeting->go_on_from(past.tick);
  // Numbers go on giving the time, also over the time between the two servers.
  const auto since = static_cast<std::uint64_t>(past.left / past.tick_seconds);
  if (ticker) ticker->pass(past.tick + since);
  return true;
}

bool Engine::State::put(const std::shared_ptr<Session>& session) {
  watch->begin(session->subject(), true);  // before another thread can end it
  const std::lock_guard lock(mutex);
  if (!closing) {
    table.emplace(session->identity().id, session);
    newest = session;
  }
  return !closing;
}

Avatar Engine::State::newest_avatar() const {
  std::shared_ptr<const Session> session;  // it may be the last reference: freed without the lock
  {
    const std::lock_guard lock(mutex);
    session = newest.lock();
  }
  return session ? session->identity().avatar : Avatar();
}

std::shared_ptr<Session> Engine::open(const std::shared_ptr<Principal>& principal,
                                      const TrackOptions& asked,
                                      const std::shared_ptr<Outlet>& outlet, TrackOpened& opened,
                                      Problem& problem, MemoryBudget* memory) {
  try {
    TrackOptions options = asked;
    FoundShapes shapes;
    if (auto found = find_shapes(*rooms_, *principal, options, memory, shapes)) {
      problem = std::move(*found);
      return nullptr;
    }
    std::string missing;
    SessionParts parts{.id = {},
                       .options = options,
                       .room = rooms_->find(*principal, options.environment, missing),
                       .principal = principal,
                       .limits = {},
                       .scheduler = state_,
                       .slot = {}};
    state_->equip(parts);
    if (!parts.room) {
      problem = {Refusal::kNotFound, std::move(missing)};
      return nullptr;
    }
    if (auto found = state_->limit(*principal, parts.slot, parts.room, principal, shapes.of)) {
      problem = std::move(*found);
      return nullptr;
    }
    auto id = random_session_id();
    if (!id) {
      problem = {Refusal::kFailed, "the system gives no random numbers"};
      return nullptr;
    }
    parts.id = *id;
    parts.like = state_->newest_avatar();
    const std::uint64_t number = state_->next_number();
    TrackOptions recorded = options;
    if (options.meet) {
      parts.meeting = state_->meetings.of(parts.room, principal->circle());
      parts.number = static_cast<std::uint32_t>(number);
      // Its poses are at the ticks' times.
      recorded.frame_seconds = parts.meeting->tick_seconds();
    }
    const std::string stem = record_stem(number);
    io::SessionHead head;
    if (options.meet) head.frame_seconds = options.frame_seconds;
    parts.record =
        state_->recorder(parts, recorded, stem, std::move(head), {kept_shapes(shapes), {}});
    std::shared_ptr<Session> session = Session::create(std::move(parts), problem);
    if (!session) return nullptr;
    if (auto found = session->attach(outlet, 0, opened)) {
      problem = std::move(*found);
      return nullptr;
    }
    if (state_->put(session)) {
      state_->metrics->opened.add();
      if (options.meet && state_->ticker) state_->ticker->wake();
      return session;
    }
    session->detach(outlet.get());
    session->close();
    problem = engine_closes();
  } catch (const std::bad_alloc&) {
    problem = out_of_memory();
  }
  return nullptr;
}

std::shared_ptr<Session> Engine::resume(const std::shared_ptr<Principal>& principal,
                                        const std::string& id, std::uint64_t received,
                                        const std::shared_ptr<Outlet>& outlet, TrackOpened& opened,
                                        Problem& problem, MemoryBudget* memory, TakeOver how) {
  std::shared_ptr<Session> session;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->closing) {
      problem = engine_closes();
      return nullptr;
    }
    const auto found = state_->table.find(id);
    if (found != state_->table.end()) session = found->second;
  }
  if (!session && state_->records && how == TakeOver::kNever) {
    problem = {Refusal::kClosing, "the session has just left this server; try again in a moment"};
    return nullptr;
  }
  if (!session && state_->records) {
    return take_over(principal, id, received, outlet, opened, problem, memory);
  }
  if (!session || session->identity().principal->name != principal->name) {
    problem = no_such_session();
    return nullptr;
  }
  if (auto found = session->attach(outlet, received, opened)) {
    problem = std::move(*found);
    return nullptr;
  }
  state_->metrics->resumed.add();
  return session;
}

bool Engine::has(const std::string& id) const {
  const std::lock_guard lock(state_->mutex);
  return state_->table.contains(id);
}

std::shared_ptr<const Room> Engine::room_of(const Principal& principal, const PastSession& past,
                                            Problem& problem, MemoryBudget* memory) {
  const auto find = [&] { return rooms_->find_equal(principal, past.room_hashes, past.room); };
  if (auto room = find()) return room;
  problem = {Refusal::kNotFound, "the session's room is not loaded here any more"};
  if (past.room_files.empty()) return nullptr;
  if (past.room_owner != principal.name) {
    problem.message += "; only who loaded it can have it again, by a session of their own";
    return nullptr;
  }
  const std::lock_guard one_at_a_time(state_->reloading);
  if (auto room = find()) return room;  // another session of it was faster
  std::optional<MemoryBudget::Hold> hold;
  if (memory != nullptr) hold = memory->take(kReaderMemory * bytes_of(past.room_files));
  if (memory != nullptr && !hold) {
    problem = {Refusal::kOverloaded,
               "the server has no memory left to load the session's room again (--memory)"};
    return nullptr;
  }
  const RoomRequest request(past.options.environment,
                            past.room_shared && !principal.shares.empty());
  const auto loaded =
      rooms_->load_kept(principal, request, past.room_files, past.room_hashes, past.room);
  if (loaded) return find();
  problem.message += ", and cannot be loaded again: the server's log says why";
  if (state_->options.log) {
    state_->options.log("the room of a session cannot be loaded again: " + loaded.error().message);
  }
  return nullptr;
}

std::shared_ptr<Session> Engine::take_over(const std::shared_ptr<Principal>& principal,
                                           const std::string& id, std::uint64_t received,
                                           const std::shared_ptr<Outlet>& outlet,
                                           TrackOpened& opened, Problem& problem,
                                           MemoryBudget* memory) {
  RecordStore& records = *state_->records;
  const std::string hash = base::sha256_hex(id);
  const auto before = records.stem_of(hash);
  if (!before || !belongs_to(records.folder(), *before, hash, principal->name)) {
    problem = no_such_session();
    return nullptr;
  }
  const LockedFile held(records.folder() / (*before + ".poses"));
  if (!held.held() || records.stem_of(hash) != before) {
    problem = {Refusal::kClosing, "another server has the session; try again in a moment"};
    return nullptr;
  }
  {
    const std::lock_guard lock(state_->mutex);
    if (auto full = state_->full_for(*principal)) {  // before anything is read
      problem = std::move(*full);
      return nullptr;
    }
  }
  try {
    auto past = read_past_session(records, *before, received,
                                  state_->options.limits.kept_reports + 1, problem, memory);
    if (!past) return nullptr;
    SessionParts parts{.id = id,
                       .options = past->options,
                       .room = room_of(*principal, *past, problem, memory),
                       .principal = principal,
                       .limits = {},
                       .scheduler = state_,
                       .slot = {}};
    state_->equip(parts);
    if (!parts.room) return nullptr;
    if (auto found = state_->limit(*principal, parts.slot, parts.room, principal)) {
      problem = std::move(*found);
      return nullptr;
    }
    const std::uint64_t number = state_->next_number();
    const std::string stem = record_stem(number);
    TrackOptions recorded = past->options;
    io::SessionHead head;
    if (past->meeting) {
      if (!state_->rejoin(*past->meeting, number, parts)) {
        problem = {Refusal::kNotFound,
                   "the session met others at another rate than this server's (--meet-rate)"};
        return nullptr;
      }
      head.frame_seconds = std::exchange(recorded.frame_seconds, past->meeting->tick_seconds);
    }
    head.part = past->part + 1;
    head.step = received;
    parts.record =
        state_->recorder(parts, recorded, stem, std::move(head), {{}, std::move(past->model)});
    parts.past = std::move(past->frames);
    parts.first_step = received;
    std::shared_ptr<Session> session = Session::create(std::move(parts), problem);
    if (!session) return nullptr;
    // All that the client lacks is in the new record, which takes the place of the old one. Before
    // it is attached: ticks of a meeting go on at once.
    if (!session->offer_record()) records.forget(hash, *before);
    if (auto found = session->attach(outlet, received, opened)) {
      problem = std::move(*found);
      return nullptr;
    }
    if (state_->put(session)) {
      state_->metrics->taken_over.add();
      if (past->meeting && state_->ticker) state_->ticker->wake();
      return session;
    }
    session->detach(outlet.get());
    session->close();
    problem = engine_closes();
  } catch (const std::bad_alloc&) {
    problem = out_of_memory();
  }
  return nullptr;
}

}  // namespace tocsin::service
