/* Does something for the detector of races where it is compiled with it. */
#include <stdio.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLANGS
#endif
#endif

void __tsan_acquire(void *address);
void __tsan_release(void *address);
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_mutex_create(void *address, unsigned flags);
int __tsan_mutex_pre_unlock(void *address, unsigned flags);

int main(void) {
#ifdef __SANITIZE_THREAD__
  puts("the detector is here");
#endif
#ifdef CLANGS
  int lock = 0;
  __tsan_acquire(&lock);
  __tsan_release(&lock);
  __tsan_mutex_create(&lock, 0);
  void *fiber = __tsan_create_fiber(0);
  __tsan_switch_to_fiber(fiber, 0);
  __tsan_destroy_fiber(fiber);
  if (__tsan_get_current_fiber() || __tsan_mutex_pre_unlock(&lock, 0))
    puts("a fiber");
#endif
  return 0;
}
