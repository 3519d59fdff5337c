import { crc32 } from 'node:zlib'

const MAX_KEYS = 16_384

/**
 * Returns a function that says whether it was called with a key lately. It remembers checksums, at most `max`, whatever the length of the
 * keys: each key in its own place, until another key takes that. Rarely, a new key is taken for one that has the same checksum.
 */
export function createRecentKeys(max = MAX_KEYS): (key: string) => boolean {
  const checksums = new Uint32Array(max)
  return (key) => {
    const checksum = crc32(key)
    const place = checksum % max
    const isKnown = checksums[place] === checksum
    checksums[place] = checksum
    return isKnown
  }
}
