/*
 * Writes down what a process does to the files of one folder, and their bytes, in the order in which it happens: loaded with
 * LD_PRELOAD, it stands between the process and the C library. trace.ts reads what it writes.
 *
 * TRACED_FOLDER is the folder, as an absolute path; TRACE_FILE is where the trace goes, outside of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define DESCRIPTORS 65536

enum operation { OPEN = 1, CLOSE, WRITE, RESIZE, SYNC, UNLINK, MAKE_FOLDER };

struct head {
  uint32_t operation;
  int32_t descriptor;
  /* Where a write begins, the size that a file gets, or the flags of an open: 1 makes the file, 2 empties it. */
  uint64_t at;
  /* Bytes that follow: those of a write, or a path. */
  uint64_t length;
};

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static unsigned char traced[DESCRIPTORS];
static int trace = -1;

static void failed(void) {
  static const char words[] = "disk-trace: the trace cannot be written\n";
  syscall(SYS_write, 2, words, sizeof words - 1);
  _exit(70);
}

/* Only called while the lock is held. */
static void note(enum operation operation, int descriptor, uint64_t at, const void *bytes, size_t length) {
  int before = errno;
  if (trace < 0) {
    const char *path = getenv("TRACE_FILE");
    if (path == NULL) failed();
    trace = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  }
  struct head head = { operation, descriptor, at, length };
  struct iovec parts[] = { { &head, sizeof head }, { (void *)bytes, length } };
  if (syscall(SYS_writev, trace, parts, 2) != (ssize_t)(sizeof head + length)) failed();
  errno = before;
}

static int is_traced_path(const char *path) {
  const char *folder = getenv("TRACED_FOLDER");
  if (folder == NULL || path == NULL) return 0;
  size_t length = strlen(folder);
  return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_traced(int descriptor) {
  return descriptor >= 0 && descriptor < DESCRIPTORS && traced[descriptor];
}

static int open_file(const char *path, int flags, mode_t mode) {
  if (!is_traced_path(path)) return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  pthread_mutex_lock(&one_at_a_time);
  int descriptor = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (descriptor >= DESCRIPTORS) failed();
  if (descriptor >= 0) {
    traced[descriptor] = 1;
    int makes = (flags & O_CREAT ? 1 : 0) | (flags & O_TRUNC ? 2 : 0);
    note(OPEN, descriptor, makes, path, strlen(path));
  }
  pthread_mutex_unlock(&one_at_a_time);
  return descriptor;
}

static mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_file(path, flags, mode);
}

int close(int descriptor) {
  if (!is_traced(descriptor)) return syscall(SYS_close, descriptor);
  pthread_mutex_lock(&one_at_a_time);
  traced[descriptor] = 0;
  note(CLOSE, descriptor, 0, NULL, 0);
  int result = syscall(SYS_close, descriptor);
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  if (!is_traced(descriptor)) return syscall(SYS_write, descriptor, bytes, length);
  pthread_mutex_lock(&one_at_a_time);
  ssize_t written = syscall(SYS_write, descriptor, bytes, length);
  off_t end = lseek(descriptor, 0, SEEK_CUR);
  if (written > 0) note(WRITE, descriptor, end - written, bytes, written);
  pthread_mutex_unlock(&one_at_a_time);
  return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t at) {
  if (!is_traced(descriptor)) return syscall(SYS_pwrite64, descriptor, bytes, length, at);
  pthread_mutex_lock(&one_at_a_time);
  ssize_t written = syscall(SYS_pwrite64, descriptor, bytes, length, at);
  if (written > 0) note(WRITE, descriptor, at, bytes, written);
  pthread_mutex_unlock(&one_at_a_time);
  return written;
}

int ftruncate(int descriptor, off_t size) {
  if (!is_traced(descriptor)) return syscall(SYS_ftruncate, descriptor, size);
  pthread_mutex_lock(&one_at_a_time);
  int result = syscall(SYS_ftruncate, descriptor, size);
  if (result == 0) note(RESIZE, descriptor, size, NULL, 0);
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

/* The lock is held meanwhile: what comes after the file was synced comes after it in the trace. */
static int sync_file(long call, int descriptor) {
  if (!is_traced(descriptor)) return syscall(call, descriptor);
  pthread_mutex_lock(&one_at_a_time);
  int result = syscall(call, descriptor);
  if (result == 0) note(SYNC, descriptor, 0, NULL, 0);
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

int fsync(int descriptor) { return sync_file(SYS_fsync, descriptor); }

int fdatasync(int descriptor) { return sync_file(SYS_fdatasync, descriptor); }

static int change_path(enum operation operation, long call, const char *path, int argument) {
  if (!is_traced_path(path)) return syscall(call, AT_FDCWD, path, argument);
  pthread_mutex_lock(&one_at_a_time);
  int result = syscall(call, AT_FDCWD, path, argument);
  if (result == 0) note(operation, -1, 0, path, strlen(path));
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

int unlink(const char *path) { return change_path(UNLINK, SYS_unlinkat, path, 0); }

int mkdir(const char *path, mode_t mode) { return change_path(MAKE_FOLDER, SYS_mkdirat, path, mode); }

#ifdef __GLIBC__
/* What glibc calls the same functions where a program asks for long files. */
int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = mode_of(flags, rest);
  va_end(rest);
  return open_file(path, flags, mode);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t at) { return pwrite(descriptor, bytes, length, at); }

int ftruncate64(int descriptor, off64_t size) { return ftruncate(descriptor, size); }
#endif
