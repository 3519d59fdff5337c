import type { DatabaseSync } from 'node:sqlite'
import { BLOCK_SIZE, changeBlock, type IdBlock } from '../../search/words/id-blocks.ts'
import { isCorrectable } from '../../search/words/tokenizer.ts'

/** Collects changes of the words of products, and writes each block of ids once. */
export interface WordChanges {
  add(word: string, id: number): void
  remove(word: string, id: number): void
  /** `pause`: called between the words. */
  write(pause: () => void): void
}

const MAX_SPELLINGS = 200_000

export function createWordChanges(database: DatabaseSync): WordChanges {
  const read = database.prepare('SELECT block, count, ids FROM word_ids WHERE word = ? AND block = ?')
  const put = database.prepare('INSERT OR REPLACE INTO word_ids (word, block, count, ids) VALUES (?, ?, ?, ?)')
  const remove = database.prepare('DELETE FROM word_ids WHERE word = ? AND block = ?')
  const addSpelling = database.prepare('INSERT OR IGNORE INTO spellings (word) VALUES (?)')
  /** Whether each product has each word, by word and block. */
  const pending = new Map<string, Map<number, Map<number, boolean>>>()
  /** Words that are known to be in the table. */
  const spellings = new Set<string>()

  function set(word: string, id: number, has: boolean): void {
    const block = Math.floor(id / BLOCK_SIZE)
    const blocks = pending.getOrInsertComputed(word, () => new Map<number, Map<number, boolean>>())
    blocks.getOrInsertComputed(block, () => new Map<number, boolean>()).set(id, has)
  }

  function writeBlock(word: string, block: number, ids: ReadonlyMap<number, boolean>): void {
    const stored = read.get(word, block) as unknown as IdBlock | undefined
    const changed = changeBlock(stored ?? { block, count: 0, ids: new Uint8Array() }, ids)
    if (changed) put.run(word, block, changed.count, changed.ids)
    else remove.run(word, block)
  }

  function writeSpelling(word: string): void {
    if (spellings.has(word) || !isCorrectable(word)) return
    if (spellings.size >= MAX_SPELLINGS) spellings.clear()
    spellings.add(word)
    addSpelling.run(word)
  }

  return {
    add: (word, id) => set(word, id, true),
    remove: (word, id) => set(word, id, false),
    write(pause) {
      // In the order of the table, so that each of its pages is changed once.
      for (const word of [...pending.keys()].sort()) {
        pause()
        const blocks = pending.get(word)!
        writeSpelling(word)
        for (const [block, ids] of blocks) writeBlock(word, block, ids)
      }
      pending.clear()
    },
  }
}
