/* Preloaded under a process: writes down, in order, everything it does to the files under one folder, and can make
 * those calls fail. Also writes down what leaves through sockets and standard output, for a promise is judged by what
 * was on the disk when it left. It changes nothing else, and knows nothing of databases.
 *
 * DISK_UNDER   the folder, absolute; files elsewhere are let through unseen
 * DISK_LOG     where the record goes; processes one after the other append to the same
 * DISK_FAIL    "write 28 5 0": the 5th write fails with errno 28 and all after it; a last figure above 0 is how many
 *              fail. "write -1 5 1": the 5th write is cut short by half, if it is one of bytes. "sync 5 3 1": the 3rd sync fails with EIO.
 * A process may say the same by calling disk_fail(), and leave a mark in the record by disk_mark().
 *
 * What is mapped is not seen: SQLite maps its -shm alone, which it makes anew after a power cut.
 */
#include "record.h"

static int opens(int at, const char *path, int flags, mode_t mode) {
    char room[PATH_MAX];
    const char *name = ours(at, path, room);
    if (!name) return (int)syscall(SYS_openat, at, path, flags, mode);
    pthread_mutex_lock(&turn);
    struct stat status;
    int was = fstatat(at, path, &status, 0) == 0, makes = (flags & O_CREAT) && !was, fd = -1, error = 0;
    if (makes) error = fails(0);
    if ((flags & O_ACCMODE) != O_RDONLY && failing_for_good(EROFS)) error = EROFS;
    if (error > 0) {
        refuse('O', error, 0, name);
    } else {
        fd = (int)syscall(SYS_openat, at, path, flags, mode);
        if (fd >= 0 && fd < MOST_FDS) {
            int folder = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
            int facts = (makes ? CREATED : 0) | (flags & O_TRUNC ? EMPTIED : 0) | (folder ? FOLDER : 0);
            handles[fd] = ((uint64_t)getpid() << 32) | ++opened;
            note('O', 0, facts, handles[fd], 0, name, strlen(name));
        }
    }
    pthread_mutex_unlock(&turn);
    return fd;
}

#define MODE(flags)                                      \
    mode_t mode = 0;                                     \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {             \
        va_list more;                                    \
        va_start(more, flags);                           \
        mode = va_arg(more, mode_t);                     \
        va_end(more);                                    \
    }

int open(const char *path, int flags, ...) { MODE(flags) return opens(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opens(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE(flags) return opens(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE(flags) return opens(at, path, flags | O_LARGEFILE, mode); }
int creat(const char *path, mode_t mode) { return opens(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int fd) {
    /* A child between vfork and exec closes its copies, but lives in this memory. */
    if (handle_of(fd) && getpid() == owner) {
        pthread_mutex_lock(&turn);
        handles[fd] = 0;
        pthread_mutex_unlock(&turn);
    }
    return REAL(close)(fd);
}

static ssize_t writes(int fd, const void *data, size_t length, off_t offset, int placed) {
    pthread_mutex_lock(&turn);
    int error = fails(0);
    ssize_t done;
    if (error > 0) {
        done = refuse('W', error, handles[fd], NULL);
    } else {
        if (error == SHORT && length > 1) length /= 2;
        if (!placed) {
            struct stat status;
            int appends = fcntl(fd, F_GETFL) & O_APPEND;
            offset = appends && fstat(fd, &status) == 0 ? status.st_size : lseek(fd, 0, SEEK_CUR);
        }
        done = placed ? syscall(SYS_pwrite64, fd, data, length, offset) : syscall(SYS_write, fd, data, length);
        if (done >= 0) note('W', 0, 0, handles[fd], (uint64_t)offset, data, (size_t)done);
    }
    pthread_mutex_unlock(&turn);
    return done;
}

static int is_socket(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
}

static void left(int fd, const void *data, ssize_t length) {
    if (record < 0 || length <= 0 || (fd != STDOUT_FILENO && !is_socket(fd))) return;
    pthread_mutex_lock(&turn);
    note(fd == STDOUT_FILENO ? 'P' : 'N', 0, 0, (uint64_t)fd, 0, data, length < NET_BYTES ? (size_t)length : NET_BYTES);
    pthread_mutex_unlock(&turn);
}

ssize_t write(int fd, const void *data, size_t length) {
    if (handle_of(fd)) return writes(fd, data, length, 0, 0);
    /* Before it leaves: whoever hears it may act, or end this process, at once. */
    left(fd, data, (ssize_t)length);
    return syscall(SYS_write, fd, data, length);
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
    if (handle_of(fd)) return writes(fd, data, length, offset, 1);
    return syscall(SYS_pwrite64, fd, data, length, offset);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return pwrite(fd, data, length, offset); }

ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!handle_of(fd)) {
        for (int i = 0; i < count; i++) left(fd, parts[i].iov_base, (ssize_t)parts[i].iov_len);
        return syscall(SYS_writev, fd, parts, count);
    }
    ssize_t whole = 0;
    for (int i = 0; i < count; i++) {
        ssize_t done = writes(fd, parts[i].iov_base, parts[i].iov_len, 0, 0);
        if (done < 0) return whole ? whole : -1;
        whole += done;
        if ((size_t)done < parts[i].iov_len) break;
    }
    return whole;
}

ssize_t send(int fd, const void *data, size_t length, int flags) {
    left(fd, data, (ssize_t)length);
    return syscall(SYS_sendto, fd, data, length, flags, NULL, 0);
}

ssize_t sendto(int fd, const void *data, size_t length, int flags, const struct sockaddr *to, socklen_t size) {
    left(fd, data, (ssize_t)length);
    return syscall(SYS_sendto, fd, data, length, flags, to, size);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
    for (size_t i = 0; i < message->msg_iovlen; i++)
        left(fd, message->msg_iov[i].iov_base, (ssize_t)message->msg_iov[i].iov_len);
    return syscall(SYS_sendmsg, fd, message, flags);
}

int ftruncate(int fd, off_t length) {
    if (!handle_of(fd)) return (int)syscall(SYS_ftruncate, fd, length);
    pthread_mutex_lock(&turn);
    int error = fails(0), done;
    if (error > 0) {
        done = refuse('T', error, handles[fd], NULL);
    } else {
        done = (int)syscall(SYS_ftruncate, fd, length);
        if (!done) note('T', 0, 0, handles[fd], (uint64_t)length, NULL, 0);
    }
    pthread_mutex_unlock(&turn);
    return done;
}

int ftruncate64(int fd, off64_t length) { return ftruncate(fd, length); }

static int syncs(int fd, long call) {
    if (!handle_of(fd)) return (int)syscall(call, fd);
    pthread_mutex_lock(&turn);
    int error = fails(1), done;
    if (error > 0) {
        done = refuse('S', error, handles[fd], NULL);
    } else {
        /* The image is made from the record: what the real disk does with it is of no interest, and slow. */
        done = 0;
        note('S', 0, 0, handles[fd], 0, NULL, 0);
    }
    pthread_mutex_unlock(&turn);
    return done;
}

int fsync(int fd) { return syncs(fd, SYS_fsync); }
int fdatasync(int fd) { return syncs(fd, SYS_fdatasync); }

/* Names: each takes one or two paths and is written down as "one\0two". */
static int names(char what, int at, const char *path, int at2, const char *path2, long call, int flags) {
    char room[PATH_MAX], room2[PATH_MAX], both[2 * PATH_MAX];
    const char *name = ours(at, path, room), *name2 = path2 ? ours(at2, path2, room2) : "";
    int watched = name && name2, done;
    pthread_mutex_lock(&turn);
    int error = watched ? fails(0) : 0;
    if (error > 0) {
        done = refuse(what, error, 0, name);
    } else {
        done = path2 ? (int)syscall(call, at, path, at2, path2, flags) : (int)syscall(call, at, path, flags);
        if (watched && !done) {
            size_t length = (size_t)snprintf(both, sizeof both, "%s%c%s", name, 0, name2);
            note(what, 0, flags, 0, 0, both, length);
        }
    }
    pthread_mutex_unlock(&turn);
    return done;
}

int rename(const char *from, const char *to) { return names('R', AT_FDCWD, from, AT_FDCWD, to, SYS_renameat2, 0); }
int renameat(int at, const char *from, int at2, const char *to) { return names('R', at, from, at2, to, SYS_renameat2, 0); }
int link(const char *from, const char *to) { return names('L', AT_FDCWD, from, AT_FDCWD, to, SYS_linkat, 0); }
int linkat(int at, const char *from, int at2, const char *to, int flags) { return names('L', at, from, at2, to, SYS_linkat, flags); }
int unlink(const char *path) { return names('U', AT_FDCWD, path, 0, NULL, SYS_unlinkat, 0); }
int unlinkat(int at, const char *path, int flags) { return names('U', at, path, 0, NULL, SYS_unlinkat, flags); }
int rmdir(const char *path) { return names('U', AT_FDCWD, path, 0, NULL, SYS_unlinkat, AT_REMOVEDIR); }
int mkdir(const char *path, mode_t mode) { return names('D', AT_FDCWD, path, 0, NULL, SYS_mkdirat, (int)mode); }
