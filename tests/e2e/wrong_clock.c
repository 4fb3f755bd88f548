/* Another clock of the day for one process, by WRONG_CLOCK (a file that holds seconds, read again
 * every 100 ms): what asks the time, and what waits until a time of that clock. LD_PRELOAD it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <sys/time.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define OF_THE_DAY(t) ((t)->tv_sec > 1000000000L) /* no machine is up for so long */

static long real(clockid_t id, struct timespec *to) { return syscall(SYS_clock_gettime, id, to); }

static long offset(void) {
    static long value, looked = -1000;
    struct timespec now;
    real(CLOCK_MONOTONIC, &now);
    long ms = now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (ms - __atomic_load_n(&looked, __ATOMIC_RELAXED) > 100) {
        __atomic_store_n(&looked, ms, __ATOMIC_RELAXED);
        const char *name = getenv("WRONG_CLOCK");
        FILE *file = name ? fopen(name, "r") : NULL;
        long read;
        if (file && fscanf(file, "%ld", &read) == 1) __atomic_store_n(&value, read, __ATOMIC_RELAXED);
        if (file) fclose(file);
    }
    return __atomic_load_n(&value, __ATOMIC_RELAXED);
}

int clock_gettime(clockid_t id, struct timespec *to) {
    int status = real(id, to);
    if (status == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) to->tv_sec += offset();
    return status;
}

int gettimeofday(struct timeval *to, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    to->tv_sec = now.tv_sec, to->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *to, int base) { clock_gettime(CLOCK_REALTIME, to); return base; }

static struct timespec waited(const struct timespec *until) {
    struct timespec at = *until;
    if (OF_THE_DAY(until)) at.tv_sec -= offset();
    return at;
}

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
    static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!next) *(void **)&next = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    struct timespec at = waited(until);
    return next(c, m, &at);
}

int sem_timedwait(sem_t *s, const struct timespec *until) {
    static int (*next)(sem_t *, const struct timespec *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec at = waited(until);
    return next(s, &at);
}

int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until) {
    static int (*next)(pthread_mutex_t *, const struct timespec *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pthread_mutex_timedlock");
    struct timespec at = waited(until);
    return next(m, &at);
}

int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *until) {
    static int (*next)(cnd_t *, mtx_t *, const struct timespec *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "cnd_timedwait");
    struct timespec at = waited(until);
    return next(c, m, &at);
}
