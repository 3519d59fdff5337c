import { hash } from 'node:crypto'

/** A picture to send. `etag` is a strong ETag of the bytes. */
export interface PictureFile {
  bytes: Buffer
  etag: string
}

const DIGEST_BYTES = 32

const digestOf = (bytes: Buffer) => hash('sha256', bytes, 'buffer')

export function toPictureFile(bytes: Buffer, digest: Buffer = digestOf(bytes)): PictureFile {
  return { bytes, etag: `"${digest.toString('base64url')}"` }
}

/** Appends a digest to the bytes, which reveals truncated and changed files. */
export const encodePictureFile = (bytes: Buffer): Buffer => Buffer.concat([bytes, digestOf(bytes)])

/** Returns `null` when the file is truncated or changed. */
export function decodePictureFile(file: Buffer): PictureFile | null {
  const bytes = file.subarray(0, -DIGEST_BYTES)
  const digest = digestOf(bytes)
  return bytes.length > 0 && digest.equals(file.subarray(-DIGEST_BYTES)) ? toPictureFile(bytes, digest) : null
}
