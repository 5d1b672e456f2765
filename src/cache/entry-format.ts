/**
 * How an entry lies on disk: one header line with the format, digest and length, then the payload. A torn write, a
 * flipped bit or a foreign file fails the header or the digest, so damage is always seen.
 */
import { contentHash } from '../base/canonical.js'

const magic = 'tegula-cache 1'
const headerPattern = /^tegula-cache 1 ([0-9a-f]{64}) (\d+)$/
/** Longer than any header: magic, 64 digits of digest, at most 16 of length. */
const maxHeaderBytes = 128

export function encodeEntry(payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${magic} ${contentHash([payload])} ${payload.length}\n`), payload])
}

/** The payload, or the reason (a string) why the bytes are no whole entry. */
export function decodeEntry(bytes: Uint8Array): Uint8Array | string {
  const end = bytes.subarray(0, maxHeaderBytes).indexOf(0x0a)
  if (end < 0) return 'it has no header'
  const match = headerPattern.exec(Buffer.from(bytes.subarray(0, end)).toString('latin1'))
  if (match === null) return 'its header is not a cache header'
  const [, digest = '', length = ''] = match
  const payload = bytes.subarray(end + 1)
  if (payload.length !== Number(length)) return `it holds ${payload.length} of ${length} bytes`
  if (contentHash([payload]) !== digest) return 'its digest differs'
  return payload
}

/** What a file entry records of the file beside it. */
export interface FileReference {
  readonly name: string
  readonly digest: string
}

export function encodeReference(reference: FileReference): Uint8Array {
  return encodeEntry(Buffer.from(`${reference.digest} ${reference.name}`))
}

export function decodeReference(bytes: Uint8Array): FileReference | string {
  const payload = decodeEntry(bytes)
  if (typeof payload === 'string') return payload
  const match = /^([0-9a-f]{64}) ([0-9a-z][0-9a-z._-]*)$/.exec(Buffer.from(payload).toString('latin1'))
  return match === null ? 'it names no file' : { digest: match[1] ?? '', name: match[2] ?? '' }
}
