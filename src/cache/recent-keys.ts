import { crc32 } from 'node:zlib'

const MAX_KEYS = 16_384

/**
 * Returns a function that says whether it was called with a key lately. It remembers checksums, at most `max`, whatever the length of the
 * keys: each key in its own slot, until another key takes that. Rarely, a new key is taken for one that has the same checksum.
 */
export function createRecentKeys(max = MAX_KEYS): (key: string) => boolean {
  const checksums = new Uint32Array(max)
  return (key) => {
    const checksum = crc32(key)
    const slot = checksum % max
    const isKnown = checksums[slot] === checksum
    checksums[slot] = checksum
    return isKnown
  }
}
