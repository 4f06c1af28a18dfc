#include "libcurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct bump_curl_functions bump_curl;

static void load(void) {
  // RTLD_LOCAL: no symbol of the libraries that it loads takes the place of another here.
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(name) \
  if (!(bump_curl.name = (__typeof__(bump_curl.name))dlsym(library, "curl_" #name))) return
  FIND(global_init);
  FIND(easy_init);
  FIND(easy_setopt);
  FIND(easy_getinfo);
  FIND(easy_strerror);
  FIND(easy_cleanup);
  FIND(multi_init);
  FIND(multi_add_handle);
  FIND(multi_remove_handle);
  FIND(multi_perform);
  FIND(multi_poll);
  FIND(multi_wakeup);
  FIND(multi_info_read);
  FIND(multi_cleanup);
  FIND(slist_append);
  FIND(slist_free_all);
#undef FIND
  bump_curl.is_loaded = bump_curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

int bump_curl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return bump_curl.is_loaded;
}
