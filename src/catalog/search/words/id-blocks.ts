/**
 * Sets of product ids in blobs of a mirror file. A block holds the ids of a range of 32,768: fewer than 2,048 of them as a sorted list of
 * two bytes each, more as a bitmap of 4 KB. Roaring bitmaps do the same.
 */
export const BLOCK_SIZE = 32_768
const BITMAP_BYTES = BLOCK_SIZE / 8
const MAX_LISTED = BITMAP_BYTES / 2 - 1

export interface IdBlock {
  /** `id / BLOCK_SIZE`, rounded down. */
  block: number
  count: number
  ids: Uint8Array
}

/** Returns the ids of blocks in ascending order. */
export function readBlocks(blocks: readonly IdBlock[]): Uint32Array {
  const ids = new Uint32Array(blocks.reduce((sum, { count }) => sum + count, 0))
  let at = 0
  for (const { block, ids: bytes } of blocks) at = readBlock(bytes, block * BLOCK_SIZE, ids, at)
  return ids
}

/** Writes the ids of a block to `ids` from `at`. Returns where they end. */
function readBlock(bytes: Uint8Array, first: number, ids: Uint32Array, at: number): number {
  if (bytes.length < BITMAP_BYTES) {
    for (let index = 0; index < bytes.length; index += 2) ids[at++] = first + bytes[index]! + bytes[index + 1]! * 256
    return at
  }
  for (let index = 0; index < BITMAP_BYTES; index++)
    for (let bits = bytes[index]!; bits !== 0; bits &= bits - 1)
      ids[at++] = first + index * 8 + 31 - Math.clz32(bits & -bits)
  return at
}

/** Returns the bytes of a block. `offsets` are ids less the first id of the block, ascending. */
export function toBlockBytes(offsets: ArrayLike<number>): Uint8Array {
  const { length } = offsets
  if (length > MAX_LISTED) return setBits(new Uint8Array(BITMAP_BYTES), offsets)
  const bytes = new Uint8Array(length * 2)
  for (let index = 0; index < length; index++) {
    bytes[index * 2] = offsets[index]! & 255
    bytes[index * 2 + 1] = offsets[index]! >> 8
  }
  return bytes
}

/** Returns the block with ids added (true) and removed (false); `null`: none is left. */
export const changeBlock = (stored: IdBlock, changes: ReadonlyMap<number, boolean>): IdBlock | null =>
  stored.ids.length === BITMAP_BYTES ? changeBitmap(stored, changes) : changeList(stored, changes)

function changeBitmap({ block, ids, ...stored }: IdBlock, changes: ReadonlyMap<number, boolean>): IdBlock | null {
  const bits = ids.slice()
  let count = stored.count
  for (const [id, isAdded] of changes) {
    const [index, bit] = [(id % BLOCK_SIZE) >> 3, 1 << (id & 7)]
    if (((bits[index]! & bit) !== 0) === isAdded) continue
    bits[index]! ^= bit
    count += isAdded ? 1 : -1
  }
  if (count > MAX_LISTED) return { block, count, ids: bits }
  return count === 0 ? null : { block, count, ids: toBlockBytes(listed.subarray(0, readBlock(bits, 0, listed, 0))) }
}

/** The list becomes a bitmap of 32 bits at a time, which are listed faster than bytes. */
function changeList({ block, ids }: IdBlock, changes: ReadonlyMap<number, boolean>): IdBlock | null {
  changed.fill(0)
  const stored = readBlock(ids, 0, listed, 0)
  for (let at = 0; at < stored; at++) changed[listed[at]! >>> 5]! |= 1 << (listed[at]! & 31)
  for (const [id, isAdded] of changes) {
    const offset = id % BLOCK_SIZE
    if (isAdded) changed[offset >>> 5]! |= 1 << (offset & 31)
    else changed[offset >>> 5]! &= ~(1 << (offset & 31))
  }
  let count = 0
  for (let at = 0; at < changed.length; at++)
    for (let bits = changed[at]!; bits !== 0; bits &= bits - 1)
      listed[count++] = at * 32 + 31 - Math.clz32(bits & -bits)
  return count === 0 ? null : { block, count, ids: toBlockBytes(listed.subarray(0, count)) }
}

/** The list that is being changed. */
const changed = new Uint32Array(BLOCK_SIZE / 32)
const listed = new Uint32Array(BLOCK_SIZE)

function setBits(bits: Uint8Array, offsets: ArrayLike<number>): Uint8Array {
  for (let index = 0; index < offsets.length; index++) bits[offsets[index]! >> 3]! |= 1 << (offsets[index]! & 7)
  return bits
}
