/* What a power cut would take: notes what is written under a folder, and what was synced of it.
 *
 * Loaded into the server by LD_PRELOAD. Each change is noted in a log, with what was there before,
 * before it is made; each sync once it has succeeded. `power_cut.py` reads the log after a kill and
 * takes back what no sync had made durable. Files that others replace or remove are kept by a link
 * of another name, so that this can be taken back too.
 *
 * POWER_CUT_ROOT names the folder, POWER_CUT_LOG the log, POWER_CUT_KEPT where links are kept.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 'W', TRUNCATE = 'T', SYNC = 'S', RENAME = 'R', REMOVE = 'U', MAKE = 'M' };

struct head {
    uint32_t magic;
    uint32_t kind;
    uint64_t inode;
    uint64_t offset;      /* of a write; the size after a truncation; the kept link's number */
    uint64_t size_before; /* of the file */
    uint32_t first;       /* bytes that follow: what was there, or the old path */
    uint32_t second;      /* then: what is written, or the new path */
};

static char root[PATH_MAX], kept[PATH_MAX];
static size_t root_length;
static int log_handle = -1;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    const char *wanted = getenv("POWER_CUT_ROOT"), *log = getenv("POWER_CUT_LOG");
    const char *links = getenv("POWER_CUT_KEPT");
    if (!wanted || !log || !links || !realpath(wanted, root)) return;
    root_length = strlen(root);
    snprintf(kept, sizeof kept, "%s", links);
    int opened = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (opened < 0) return;
    log_handle = fcntl(opened, F_DUPFD_CLOEXEC, 900); /* out of the way of low numbers */
    syscall(SYS_close, opened);
}

static void note(struct head head, const void *first, const void *second) {
    struct iovec parts[3] = {
        {&head, sizeof head}, {(void *)first, head.first}, {(void *)second, head.second}};
    head.magic = 0x43575750;
    if (syscall(SYS_writev, log_handle, parts, 3) < 0) abort();
}

/* Whether a handle is of a file under the folder; its path, inode and size. */
static int inside(int handle, char *path, struct stat *status) {
    char link[64];
    if (log_handle < 0 || handle == log_handle) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    if (length <= (ssize_t)root_length) return 0;
    if (strncmp(path, root, root_length) || path[root_length] != '/') return 0;
    return fstat(handle, status) == 0;
}

static void note_write(int handle, const struct iovec *parts, int count, off_t offset) {
    char path[PATH_MAX];
    struct stat status;
    int saved = errno;
    if (inside(handle, path, &status) && S_ISREG(status.st_mode)) {
        size_t length = 0, at = 0;
        for (int i = 0; i < count; i++) length += parts[i].iov_len;
        if (offset < 0) {
            int flags = fcntl(handle, F_GETFL);
            offset = flags & O_APPEND ? status.st_size : lseek(handle, 0, SEEK_CUR);
        }
        char *after = malloc(length + 1), *before = malloc(length + 1);
        for (int i = 0; i < count; i++) {
            memcpy(after + at, parts[i].iov_base, parts[i].iov_len);
            at += parts[i].iov_len;
        }
        ssize_t there = 0;
        if (offset < status.st_size) {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
            int reader = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC);
            there = syscall(SYS_pread64, reader, before, length, offset);
            syscall(SYS_close, reader);
            if (there < 0) there = 0;
        }
        note((struct head){.kind = WRITE, .inode = status.st_ino, .offset = (uint64_t)offset,
                           .size_before = (uint64_t)status.st_size, .first = (uint32_t)there,
                           .second = (uint32_t)length}, before, after);
        free(after);
        free(before);
    }
    errno = saved;
}

ssize_t write(int handle, const void *data, size_t length) {
    struct iovec part = {(void *)data, length};
    note_write(handle, &part, 1, -1);
    return REAL(write)(handle, data, length);
}

ssize_t pwrite(int handle, const void *data, size_t length, off_t offset) {
    struct iovec part = {(void *)data, length};
    note_write(handle, &part, 1, offset);
    return REAL(pwrite)(handle, data, length, offset);
}

ssize_t pwrite64(int handle, const void *data, size_t length, off64_t offset) {
    struct iovec part = {(void *)data, length};
    note_write(handle, &part, 1, offset);
    return REAL(pwrite64)(handle, data, length, offset);
}

ssize_t writev(int handle, const struct iovec *parts, int count) {
    note_write(handle, parts, count, -1);
    return REAL(writev)(handle, parts, count);
}

static void note_truncation(int handle, off_t size) {
    char path[PATH_MAX];
    struct stat status;
    int saved = errno;
    if (inside(handle, path, &status) && S_ISREG(status.st_mode)) {
        size_t length = size < status.st_size ? (size_t)(status.st_size - size) : 0;
        char *before = malloc(length + 1), link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
        int reader = (int)syscall(SYS_openat, AT_FDCWD, link, O_RDONLY | O_CLOEXEC);
        ssize_t there = length ? syscall(SYS_pread64, reader, before, length, size) : 0;
        syscall(SYS_close, reader);
        note((struct head){.kind = TRUNCATE, .inode = status.st_ino, .offset = (uint64_t)size,
                           .size_before = (uint64_t)status.st_size,
                           .first = there < 0 ? 0 : (uint32_t)there}, before, "");
        free(before);
    }
    errno = saved;
}

int ftruncate(int handle, off_t size) {
    note_truncation(handle, size);
    return REAL(ftruncate)(handle, size);
}

int ftruncate64(int handle, off64_t size) {
    note_truncation(handle, size);
    return REAL(ftruncate64)(handle, size);
}

static int note_sync(int handle, int result) {
    char path[PATH_MAX] = "";
    struct stat status;
    int saved = errno;
    if (result == 0 && inside(handle, path, &status))
        note((struct head){.kind = SYNC, .inode = status.st_ino, .offset = S_ISDIR(status.st_mode),
                           .size_before = (uint64_t)status.st_size,
                           .first = (uint32_t)strlen(path)}, path, "");
    else if (result == 0 && log_handle >= 0 && !strcmp(path, root) && !fstat(handle, &status))
        note((struct head){.kind = SYNC, .inode = status.st_ino, .offset = 1,
                           .first = (uint32_t)root_length}, root, "");
    errno = saved;
    return result;
}

int fsync(int handle) { return note_sync(handle, REAL(fsync)(handle)); }
int fdatasync(int handle) { return note_sync(handle, REAL(fdatasync)(handle)); }

/* The path from the file system's root, if it is under the folder; its last part may be a link. */
static int under(int folder, const char *name, char *path) {
    char parent[PATH_MAX], whole[PATH_MAX];
    if (log_handle < 0) return 0;
    if (name[0] == '/' || folder == AT_FDCWD) {
        snprintf(whole, sizeof whole, "%s", name);
    } else {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, parent, PATH_MAX - 1);
        if (length < 0) return 0;
        parent[length] = 0;
        if ((size_t)snprintf(whole, sizeof whole, "%s/%s", parent, name) >= sizeof whole) return 0;
    }
    char *slash = strrchr(whole, '/');
    const char *last = slash ? slash + 1 : whole;
    if (slash) *slash = 0;
    if (!realpath(slash ? (whole[0] ? whole : "/") : ".", parent)) return 0;
    if ((size_t)snprintf(path, PATH_MAX, "%s/%s", parent, last) >= PATH_MAX) return 0;
    return !strncmp(path, root, root_length) && path[root_length] == '/';
}

/* Keeps what is at a path by a second link; the number of the link, 0 where there is nothing. */
static uint64_t keep(const char *path, struct stat *status) {
    static uint64_t count;
    if (lstat(path, status)) return 0;
    if (!S_ISREG(status->st_mode)) return 0;
    uint64_t number = ((uint64_t)getpid() << 32) | __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
    char link[PATH_MAX];
    snprintf(link, sizeof link, "%.4000s/%llu", kept, (unsigned long long)number);
    return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, link, 0) ? 0 : number;
}

static void note_rename(int from, const char *old, int to, const char *new) {
    char before[PATH_MAX], after[PATH_MAX];
    struct stat status, replaced;
    int saved = errno;
    if (under(to, new, after) && under(from, old, before) && !lstat(before, &status))
        note((struct head){.kind = RENAME, .inode = status.st_ino, .offset = keep(after, &replaced),
                           .first = (uint32_t)strlen(before), .second = (uint32_t)strlen(after)},
             before, after);
    errno = saved;
}

int rename(const char *old, const char *new) {
    note_rename(AT_FDCWD, old, AT_FDCWD, new);
    return REAL(rename)(old, new);
}

int renameat(int from, const char *old, int to, const char *new) {
    note_rename(from, old, to, new);
    return REAL(renameat)(from, old, to, new);
}

static void note_removal(int folder, const char *name) {
    char path[PATH_MAX];
    struct stat status = {0};
    int saved = errno;
    if (under(folder, name, path)) {
        uint64_t number = keep(path, &status);
        if (number)
            note((struct head){.kind = REMOVE, .inode = status.st_ino, .offset = number,
                               .first = (uint32_t)strlen(path)}, path, "");
    }
    errno = saved;
}

int unlink(const char *path) {
    note_removal(AT_FDCWD, path);
    return REAL(unlink)(path);
}

int unlinkat(int folder, const char *name, int flags) {
    if (!(flags & AT_REMOVEDIR)) note_removal(folder, name);
    return REAL(unlinkat)(folder, name, flags);
}

static void note_making(int result, int folder, const char *name) {
    char path[PATH_MAX];
    struct stat status;
    int saved = errno;
    if (result >= 0 && under(folder, name, path) && !lstat(path, &status))
        note((struct head){.kind = MAKE, .inode = status.st_ino,
                           .first = (uint32_t)strlen(path)}, path, "");
    errno = saved;
}

static int noted_open(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    struct stat status;
    int is_new = (flags & O_CREAT) && under(folder, name, path) && lstat(path, &status);
    if ((flags & O_TRUNC) && !is_new && under(folder, name, path)) {
        int handle = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
        if (handle >= 0) {
            note_truncation(handle, 0);
            syscall(SYS_close, handle);
        }
    }
    int result = (int)syscall(SYS_openat, folder, name, flags, mode);
    if (result < 0 && errno == 0) errno = EIO;
    if (is_new) note_making(result, folder, name);
    return result;
}

#define OPENING(name, ...)                                  \
    mode_t mode = 0;                                        \
    if (flags & (O_CREAT | O_TMPFILE)) {                    \
        va_list rest;                                       \
        va_start(rest, flags);                              \
        mode = va_arg(rest, mode_t);                        \
        va_end(rest);                                       \
    }                                                       \
    return noted_open(__VA_ARGS__, flags, mode)

int open(const char *path, int flags, ...) { OPENING(open, AT_FDCWD, path); }
int open64(const char *path, int flags, ...) { OPENING(open64, AT_FDCWD, path); }
int openat(int folder, const char *path, int flags, ...) { OPENING(openat, folder, path); }
int openat64(int folder, const char *path, int flags, ...) { OPENING(openat64, folder, path); }

int link(const char *old, const char *new) {
    int result = REAL(link)(old, new);
    note_making(result, AT_FDCWD, new);
    return result;
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
    int result = REAL(linkat)(from, old, to, new, flags);
    note_making(result, to, new);
    return result;
}
