/* Faults at the k-th step of a run and of all that it starts: cc -shared -fPIC -o step.so step.c -ldl; LD_PRELOAD=step.so.

   The state is a file that all processes share (STEP_STATE); steps are counted while it is armed.  A step of files is one on a
   file of the folder STEP_FOLDER, or of the name that it is given. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { FILES = 1, FORKS = 2, MEMORY = 3 };            /* what is counted */
enum { ERROR = 1, ONWARDS = 2, KILL = 3, HALF = 4 };  /* what happens: once, from then on, SIGKILL before, SIGKILL in the middle */
struct state { long armed, kind, how, error, at, count, hit; };
static struct state *state;
static const char *folder;
static long least = 1024; /* bytes of an allocation that is counted */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
#define NEXT(name) ((__typeof__(&name)) dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("STEP_STATE");
    int handle = path ? NEXT(open)(path, O_RDWR) : -1;
    folder = getenv("STEP_FOLDER");
    if (handle < 0) return;
    struct state *found = mmap(0, sizeof *found, PROT_READ | PROT_WRITE, MAP_SHARED, handle, 0);
    if (found != MAP_FAILED) state = found;
    close(handle);
}

/* 1 where this step fails, 2 where it is to stop in the middle */
static int step(long kind) {
    if (!state || !state->armed || state->kind != kind) return 0;
    long number = __atomic_add_fetch(&state->count, 1, __ATOMIC_SEQ_CST);
    if (!state->how || number < state->at || (number > state->at && state->how != ONWARDS)) return 0;
    state->hit = 1;
    if (state->how == KILL) kill(getpid(), SIGKILL);
    if (state->how == HALF) return 2;
    errno = (int) state->error;
    return 1;
}

static int named(const char *path) { return folder && path && strncmp(path, folder, strlen(folder)) == 0; }

static int ours(int handle) {
    char link[64] = "/proc/self/fd/", path[4096], digits[16];
    int k = 14, n = 0;
    if (!state || !state->armed || state->kind != FILES) return 0;
    do digits[n++] = (char) ('0' + handle % 10); while ((handle /= 10) > 0);
    while (n) link[k++] = digits[--n];
    link[k] = 0;
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return named(path);
}

#define WRITE(name, offset_type)                                                                   \
    ssize_t name(int handle, const void *data, size_t size, offset_type offset) {                  \
        int how = ours(handle) ? step(FILES) : 0;                                                  \
        if (how == 1) return -1;                                                                   \
        if (how == 2) { NEXT(name)(handle, data, size / 2, offset); kill(getpid(), SIGKILL); }     \
        return NEXT(name)(handle, data, size, offset);                                             \
    }
WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)
ssize_t write(int handle, const void *data, size_t size) {
    int how = ours(handle) ? step(FILES) : 0;
    if (how == 1) return -1;
    if (how == 2) { NEXT(write)(handle, data, size / 2); kill(getpid(), SIGKILL); }
    return NEXT(write)(handle, data, size);
}

/* those that need no room on the disk do not find it full */
#define PLAIN(name, room, before, arguments, given)                                                \
    int name arguments {                                                                           \
        int how = (room || !state || state->error != ENOSPC) && (before) ? step(FILES) : 0;                                                      \
        if (how == 1) return -1;                                                                   \
        if (how == 2) { NEXT(name) given; kill(getpid(), SIGKILL); }                               \
        return NEXT(name) given;                                                                   \
    }
PLAIN(fsync, 1, ours(handle), (int handle), (handle))
PLAIN(fdatasync, 1, ours(handle), (int handle), (handle))
PLAIN(ftruncate, 0, ours(handle), (int handle, off_t size), (handle, size))
PLAIN(ftruncate64, 0, ours(handle), (int handle, off64_t size), (handle, size))
PLAIN(rename, 1, named(to), (const char *from, const char *to), (from, to))
PLAIN(link, 1, named(to), (const char *from, const char *to), (from, to))
PLAIN(unlink, 0, named(path), (const char *path), (path))
PLAIN(chmod, 0, named(path), (const char *path, mode_t mode), (path, mode))
PLAIN(mkdir, 1, named(path), (const char *path, mode_t mode), (path, mode))

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                     \
        va_end(rest);                                                                              \
        int how = (flags & O_CREAT) && named(path) ? step(FILES) : 0;                              \
        if (how == 1) return -1;                                                                   \
        if (how == 2) { NEXT(name)(path, flags, mode); kill(getpid(), SIGKILL); }                  \
        return NEXT(name)(path, flags, mode);                                                      \
    }
OPEN(open)
OPEN(open64)

pid_t fork(void) {
    int how = step(FORKS);
    if (how == 1) return -1;
    pid_t made = NEXT(fork)();
    if (how == 2 && made) kill(getpid(), SIGKILL);
    return made;
}

void *malloc(size_t size) { return (long) size >= least && step(MEMORY) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) {
    return (long) (count * size) >= least && step(MEMORY) ? NULL : __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) { return (long) size >= least && step(MEMORY) ? NULL : __libc_realloc(old, size); }
#define MMAP(name, offset_type)                                                                    \
    void *name(void *at, size_t size, int rights, int flags, int handle, offset_type offset) {     \
        if ((flags & MAP_ANONYMOUS) && step(MEMORY)) return MAP_FAILED;                            \
        return NEXT(name)(at, size, rights, flags, handle, offset);                                \
    }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)
