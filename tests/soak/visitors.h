// Who else comes to a server: those who change its rooms, and hostile ones.
#pragma once

#include "soak/soak_client.h"
#include "soak/world.h"

namespace tocsin::test {

/// Loads rooms, by path and by upload, walks in them, and unloads them meanwhile, until the order
/// to stay. `file`: the room's name in the server's folder.
void change_rooms(World& world, SoakOrders& orders, const std::string& file);

/// Pays hostile visits, one after the other, until all is over.
void visit_hostilely(World& world, SoakOrders& orders);

/// Keeps a stream open that sends frames and lets no answer come; and connections that say nothing.
void read_slowly(World& world, SoakOrders& orders);

}  // namespace tocsin::test
