/* SPDX-License-Identifier: MIT */
/* Threads that stay: a runner (dppair_executor) over a pool of POSIX threads that wait between calls.
 *
 * pool_open starts `threads` - 1 of them, since who calls pool_run works too. A thread that cannot
 * be started is done without: the others do its work, in the end the caller alone. Results are the
 * same, since parts are joined in a fixed order, by whomever they were computed. Threads begin with
 * the floating-point environment of whoever opens the pool; it must not change while they run. */
#ifndef THREADS_POOL_H
#define THREADS_POOL_H

#include <pthread.h>

#include "dppair.h"

enum { POOL_MOST = 256 };
typedef struct pool {
  pthread_mutex_t lock;
  pthread_cond_t begin, end;
  pthread_t thread[POOL_MOST];
  size_t threads; /* who work, with the caller */
  dppair_task *task;
  void *context;
  size_t parts, next, done; /* of a call: how many, the first that nobody has, finished */
  int closing;
} pool;

/* Takes parts as long as there are any; the lock is held outside of tasks. */
static void pool_work(pool *p) {
  while (p->next < p->parts) {
    const size_t part = p->next++;
    pthread_mutex_unlock(&p->lock);
    p->task(p->context, part);
    pthread_mutex_lock(&p->lock);
    if (++p->done == p->parts) pthread_cond_signal(&p->end);
  }
}

static void *pool_thread(void *self) {
  pool *p = self;
  pthread_mutex_lock(&p->lock);
  while (!p->closing)
    if (p->next < p->parts)
      pool_work(p);
    else
      pthread_cond_wait(&p->begin, &p->lock);
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

/* Whether the pool can be used; it then has p->threads threads, at most those asked for. */
static int pool_open(pool *p, size_t threads) {
  memset(p, 0, sizeof *p);
  if (pthread_mutex_init(&p->lock, NULL) != 0) return 0;
  if (pthread_cond_init(&p->begin, NULL) != 0 || pthread_cond_init(&p->end, NULL) != 0) return 0;
  for (p->threads = 1; p->threads < threads && p->threads < POOL_MOST; p->threads++)
    if (pthread_create(&p->thread[p->threads], NULL, pool_thread, p) != 0) break;
  return 1;
}

static void pool_close(pool *p) {
  pthread_mutex_lock(&p->lock);
  p->closing = 1;
  pthread_cond_broadcast(&p->begin);
  pthread_mutex_unlock(&p->lock);
  while (--p->threads > 0) pthread_join(p->thread[p->threads], NULL);
  pthread_cond_destroy(&p->begin);
  pthread_cond_destroy(&p->end);
  pthread_mutex_destroy(&p->lock);
}

/* A dppair_executor; self: the pool. One call at a time. */
static void pool_run(dppair_task *task, void *context, size_t parts, void *self) {
  pool *p = self;
  pthread_mutex_lock(&p->lock);
  p->task = task;
  p->context = context;
  p->next = p->done = 0;
  p->parts = parts;
  pthread_cond_broadcast(&p->begin);
  pool_work(p);
  while (p->done < p->parts) pthread_cond_wait(&p->end, &p->lock);
  pthread_mutex_unlock(&p->lock);
}

#endif
