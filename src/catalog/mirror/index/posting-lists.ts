/** Collects the products of each word, one block of products after another. */
export interface PostingLists {
  /** Adds the words of a product, by their codes. `offset`: its id less the first id of the block. Offsets ascend. */
  add(offset: number, words: readonly (readonly number[])[]): void
  /** Takes the offsets of the products of each word, ascending. The next block begins. */
  take(): Generator<[word: number, offsets: Uint16Array]>
}

const FIRST_LENGTH = 1_048_576

/** Words are sorted by counting them: a list for each word would create several times as much garbage. */
export function createPostingLists(): PostingLists {
  /** The words of all products, one product after another. */
  let added = new Uint32Array(FIRST_LENGTH)
  let length = 0
  /** For each product: its offset, and the end of its words in `added`. */
  let products: { offset: number; end: number }[] = []
  /** For each word: how many products have it, and the last of them. */
  let counts: number[] = []
  let last: number[] = []

  function push(word: number): void {
    if (length === added.length) {
      const grown = new Uint32Array(length * 2)
      grown.set(added)
      added = grown
    }
    added[length++] = word
  }

  function sort(): { offsets: Uint16Array; ends: Uint32Array } {
    const ends = new Uint32Array(counts.length)
    for (let word = 1; word < counts.length; word++) ends[word] = ends[word - 1]! + counts[word - 1]!
    const offsets = new Uint16Array(length)
    let at = 0
    for (const { offset, end } of products) for (; at < end; at++) offsets[ends[added[at]!]!++] = offset
    return { offsets, ends }
  }

  return {
    add(offset, lists) {
      for (const list of lists)
        for (const word of list) {
          while (counts.length <= word) last[counts.push(0) - 1] = -1
          if (last[word] === offset) continue
          last[word] = offset
          counts[word]! += 1
          push(word)
        }
      products.push({ offset, end: length })
    },
    *take() {
      const { offsets, ends } = sort()
      for (const [word, count] of counts.entries()) yield [word, offsets.subarray(ends[word]! - count, ends[word])]
      length = 0
      products = []
      counts = []
      last = []
    },
  }
}
