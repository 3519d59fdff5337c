import { hash } from 'node:crypto'

/** A picture as it is sent. `etag` is strong, over the bytes. */
export interface PictureFile {
  bytes: Buffer
  etag: string
}

const DIGEST_BYTES = 32

const digestOf = (bytes: Buffer) => hash('sha256', bytes, 'buffer')

export function toPictureFile(bytes: Buffer, digest: Buffer = digestOf(bytes)): PictureFile {
  return { bytes, etag: `"${digest.toString('base64url')}"` }
}

/** For a file: the bytes and their digest, by which a file is known that was cut or changed. */
export const encodePictureFile = (bytes: Buffer): Buffer => Buffer.concat([bytes, digestOf(bytes)])

/** `null`: it is not as it was written. */
export function decodePictureFile(file: Buffer): PictureFile | null {
  const bytes = file.subarray(0, -DIGEST_BYTES)
  const digest = digestOf(bytes)
  return bytes.length > 0 && digest.equals(file.subarray(-DIGEST_BYTES)) ? toPictureFile(bytes, digest) : null
}
