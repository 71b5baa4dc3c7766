/* The layer's memory: the record it writes, what is to fail, and which paths and descriptors are watched. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FDS 4096
#define NET_BYTES 8192
#define SHORT (-1)

struct head {
    uint32_t length; /* of what follows */
    char what;
    uint8_t failed; /* errno, 0 when it was done */
    uint16_t flags;
    uint64_t handle;
    uint64_t offset;
} __attribute__((packed));

enum { CREATED = 1, EMPTIED = 2, FOLDER = 4 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static uint64_t handles[MOST_FDS];
static uint64_t opened;
static char under[PATH_MAX];
static size_t under_length;
static int record = -1;
static pid_t owner;

static struct {
    int sync, error;
    long first, count, seen;
} plan;

#define REAL(name) ((__typeof__(&name))next(#name))

static void *next(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

static void note(char what, int failed, int flags, uint64_t handle, uint64_t offset, const void *data, size_t length) {
    struct head head = {(uint32_t)length, what, (uint8_t)failed, (uint16_t)flags, handle, offset};
    struct iovec parts[2] = {{&head, sizeof head}, {(void *)data, length}};
    int before = errno;
    if (record >= 0 && syscall(SYS_writev, record, parts, length ? 2 : 1) < 0) abort();
    errno = before;
}

int disk_fail(const char *said) {
    char kind[8];
    pthread_mutex_lock(&turn);
    memset(&plan, 0, sizeof plan);
    int read = sscanf(said, "%7s %d %ld %ld", kind, &plan.error, &plan.first, &plan.count);
    plan.sync = read == 4 && !strcmp(kind, "sync");
    if (read != 4) plan.first = 0;
    pthread_mutex_unlock(&turn);
    return read == 4 ? 0 : -1;
}

void disk_mark(const char *data, size_t length) {
    pthread_mutex_lock(&turn);
    note('M', 0, 0, 0, 0, data, length);
    pthread_mutex_unlock(&turn);
}

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("DISK_UNDER"), *log = getenv("DISK_LOG"), *fail = getenv("DISK_FAIL");
    if (!folder || !log) return;
    owner = getpid();
    snprintf(under, sizeof under, "%s/", folder);
    under_length = strlen(under);
    record = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (record < 0) abort();
    /* Out of the way of whoever counts its descriptors, or closes those it does not know. */
    int high = fcntl(record, F_DUPFD_CLOEXEC, MOST_FDS - 1);
    if (high >= 0) syscall(SYS_close, record), record = high;
    if (fail && *fail && disk_fail(fail)) abort();
}

/* The path below the folder, or NULL when it is none of ours. The folder itself is ".". */
static const char *ours(int at, const char *path, char *room) {
    if (!under_length || record < 0) return NULL;
    if (path[0] == '/') {
        snprintf(room, PATH_MAX, "%s", path);
    } else {
        char base[PATH_MAX / 2], link[64];
        if (at == AT_FDCWD) {
            if (!getcwd(base, sizeof base)) return NULL;
        } else {
            snprintf(link, sizeof link, "/proc/self/fd/%d", at);
            ssize_t length = readlink(link, base, sizeof base - 1);
            if (length < 0) return NULL;
            base[length] = 0;
        }
        snprintf(room, PATH_MAX, "%s/%s", base, path);
    }
    if (!strncmp(room, under, under_length)) return room + under_length;
    return strlen(room) == under_length - 1 && !strncmp(room, under, under_length - 1) ? "." : NULL;
}

static uint64_t handle_of(int fd) { return fd >= 0 && fd < MOST_FDS ? handles[fd] : 0; }

/* Whether this call is one that fails, and how. Called in turn, once for each call that is counted. */
static int fails(int sync) {
    if (!plan.first || plan.sync != sync) return 0;
    plan.seen++;
    if (plan.seen < plan.first || (plan.count && plan.seen >= plan.first + plan.count)) return 0;
    if (plan.error == SHORT) note('X', 0, 0, 0, 0, NULL, 0);
    return plan.error;
}

static int failing_for_good(int error) {
    return plan.first && !plan.sync && plan.error == error && !plan.count && plan.seen >= plan.first;
}

static int refuse(char what, int error, uint64_t handle, const char *path) {
    note(what, error, 0, handle, 0, path, path ? strlen(path) : 0);
    errno = error;
    return -1;
}
