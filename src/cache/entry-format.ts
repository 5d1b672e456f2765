/**
 * The on-disk format of an entry: one header line with the format, key, digest and length, then the payload. A torn write, a
 * flipped bit or a foreign file fails the check of the header or the digest, so damage is always detected. The digest covers
 * the key, so an entry that was copied or renamed to another key is detected too.
 */
import { contentHash } from '../base/canonical.js'

const magic = 'tegula-cache 2'
const headerPattern = /^tegula-cache 2 ([0-9a-z_-]+) ([0-9a-f]{64}) (\d+)$/
/** An upper bound of header lengths: magic, at most 128 characters of key, 64 of digest, at most 16 of length. */
const maxHeaderBytes = 256

const digestOf = (key: string, payload: Uint8Array): string => contentHash(['entry', key, payload])

export function encodeEntry(key: string, payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${magic} ${key} ${digestOf(key, payload)} ${payload.length}\n`), payload])
}

/** The payload, or the reason (a string) why the bytes are not a whole entry of this key. */
export function decodeEntry(key: string, bytes: Uint8Array): Uint8Array | string {
  const end = bytes.subarray(0, maxHeaderBytes).indexOf(0x0a)
  if (end < 0) return 'it has no header'
  const match = headerPattern.exec(Buffer.from(bytes.subarray(0, end)).toString('latin1'))
  if (match === null) return 'its header is not a cache header'
  const [, written = '', digest = '', length = ''] = match
  const payload = bytes.subarray(end + 1)
  if (payload.length !== Number(length)) return `it holds ${payload.length} of ${length} bytes`
  if (digestOf(written, payload) !== digest) return 'its digest differs'
  return written === key ? payload : `it was written for another key, ${written}`
}

/** The reference that a file entry holds to the file beside it. */
export interface FileReference {
  readonly name: string
  readonly digest: string
}

export function encodeReference(key: string, reference: FileReference): Uint8Array {
  return encodeEntry(key, Buffer.from(`${reference.digest} ${reference.name}`))
}

export function decodeReference(key: string, bytes: Uint8Array): FileReference | string {
  const payload = decodeEntry(key, bytes)
  if (typeof payload === 'string') return payload
  const match = /^([0-9a-f]{64}) ([0-9a-z][0-9a-z._-]*)$/.exec(Buffer.from(payload).toString('latin1'))
  const [, digest = '', name = ''] = match ?? []
  return name.startsWith(`${key}-`) ? { digest, name } : 'it names no file of its key'
}
