/** A page of memory followed by one that must not be touched (Linux). */
import koffi from 'koffi'

const pageBytes = 65536n // a multiple of the page size of every machine

/** The address of the first byte that must not be touched; the 64 KiB before it are readable and writable. */
export function guardedPage(): bigint {
  const libc = koffi.load('libc.so.6')
  const mmap = libc.func(
    'void *mmap(void *address, size_t length, int protection, int flags, int file, int64_t offset)',
  )
  const mprotect = libc.func('int mprotect(void *address, size_t length, int protection)')
  const [readWrite, privateAnonymous] = [3, 0x22]
  const page = koffi.address(mmap(null, 2n * pageBytes, readWrite, privateAnonymous, -1, 0))
  if (mprotect(page + pageBytes, pageBytes, 0) !== 0) throw new Error('mprotect failed')
  return page + pageBytes
}
