/** Gives distinct words codes from 0. */
export interface WordDictionary {
  /** Returns the code of the part of a text from `from` to `to`. No string is created for a known word. */
  codeOf(text: string, from?: number, to?: number): number
  /** By code. */
  readonly words: readonly string[]
}

const FIRST_SLOTS = 1_024

/** A hash table with open addressing. While a file is filled, it is several times faster than a `Map`, which interns each string. */
export function createWordDictionary(): WordDictionary {
  const words: string[] = []
  const hashes: number[] = []
  /** Codes plus 1; 0: free. At least half of the slots are free. */
  let slots = new Int32Array(FIRST_SLOTS)

  function grow(): void {
    slots = new Int32Array(slots.length * 2)
    for (const [code, hash] of hashes.entries()) {
      let slot = hash & (slots.length - 1)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = code + 1
    }
  }

  return {
    words,
    codeOf(text, from = 0, to = text.length) {
      const hash = hashPart(text, from, to)
      let slot = hash & (slots.length - 1)
      for (let found = slots[slot]!; found !== 0; found = slots[slot]!) {
        const word = words[found - 1]!
        if (hashes[found - 1] === hash && word.length === to - from && text.startsWith(word, from)) return found - 1
        slot = (slot + 1) & (slots.length - 1)
      }
      hashes.push(hash)
      slots[slot] = words.push(text.slice(from, to))
      if (words.length * 2 > slots.length) grow()
      return words.length - 1
    },
  }
}

/** FNV-1a, over 16-bit characters. */
function hashPart(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5 | 0
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash ^ (hash >>> 15)
}
