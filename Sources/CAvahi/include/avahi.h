#ifndef BUMP_AVAHI_H
#define BUMP_AVAHI_H

#include <dns_sd.h>

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/domain.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/thread-watch.h>
#include <avahi-core/core.h>
#include <avahi-core/log.h>
#include <avahi-core/lookup.h>
#include <avahi-core/publish.h>

// clang-format off
#define BUMP_AVAHI_CORE(F) \
  F(key_new) F(key_unref) \
  F(record_new_full) F(record_unref) \
  F(s_entry_group_commit) F(s_entry_group_free) F(s_entry_group_new) \
  F(s_record_browser_free) F(s_record_browser_new) \
  F(s_service_browser_free) F(s_service_browser_new) \
  F(s_service_resolver_free) F(s_service_resolver_new) \
  F(server_add) F(server_config_free) F(server_config_init) F(server_errno) F(server_free) F(server_new) \
  F(set_log_function)
// clang-format on

/// The functions of libavahi-core that are used here, without their `avahi_`.
///
/// It cannot be linked to: libavahi-core and libavahi-client both define `avahi_entry_group_free`, with different
/// arguments, and each calls the one that was loaded first.
struct bump_avahi_core {
#define F(name) __typeof__(avahi_##name) *name;
  BUMP_AVAHI_CORE(F)
#undef F
};

/// Loads libavahi-core where no other library sees it.
///
/// \return false where it is not installed, or not the one that this was built for.
_Bool bump_avahi_core_load(struct bump_avahi_core *core);

#endif
