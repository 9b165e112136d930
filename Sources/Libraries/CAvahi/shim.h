#pragma once
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>

#include "../functions.h"

#define MR_AVAHI(use) \
  use(avahi_simple_poll_new) use(avahi_simple_poll_get) use(avahi_simple_poll_iterate) \
  use(avahi_simple_poll_wakeup) use(avahi_simple_poll_free) use(avahi_client_new) \
  use(avahi_client_free) use(avahi_client_errno) use(avahi_strerror) use(avahi_free) \
  use(avahi_entry_group_new) use(avahi_entry_group_add_service_strlst) \
  use(avahi_entry_group_commit) use(avahi_entry_group_reset) use(avahi_entry_group_is_empty) \
  use(avahi_entry_group_get_client) use(avahi_alternative_service_name) \
  use(avahi_string_list_add) use(avahi_string_list_free) use(avahi_string_list_get_next) \
  use(avahi_string_list_get_text) use(avahi_string_list_get_size) \
  use(avahi_service_browser_new) use(avahi_service_browser_get_client) \
  use(avahi_service_resolver_new) use(avahi_service_resolver_free)
MR_FUNCTIONS(mr_avahi, MR_AVAHI)
