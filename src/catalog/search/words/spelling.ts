import type { DatabaseSync } from 'node:sqlite'
import leven from 'leven'
import { findCommonlyConfusedWord } from './commonly-confused-words.ts'
import { toPhoneticKey } from './phonetic-key.ts'
import type { Synonyms } from './synonyms.ts'
import { isCorrectable, isFiller, splitWords, toSingular } from './tokenizer.ts'

/** Corrects words that do not occur in a catalog. */
export interface Spelling {
  /**
   * Returns the text with each unknown word replaced by the most similar known one; `null` when there is nothing to correct. With `isTyping`,
   * the last word may be only the beginning of a word.
   */
  correct(text: string, options?: { isTyping?: boolean }): string | null
}

const MAX_WORDS = 16
/** Words of at least this length may have two mistakes. */
const LONG_WORD = 8
/** The number of similar words of which the most frequent one is chosen. More words begin alike than are alike. */
const MAX_CANDIDATES = 8
const MAX_BEGUN = 32
/** A shorter beginning is similar to those of many other words. */
const MIN_BEGINNING = 5
/** Words that sound alike may have two mistakes, if at least this many sounds are equal. */
const MIN_SOUNDS = 3

/** `names`: words beside those of products, for example makes of vehicles. */
export function readSpelling(database: DatabaseSync, names: readonly string[], synonyms: Synonyms): Spelling {
  const countProducts = prepareWordCount(database)
  const rows = database.prepare('SELECT word FROM spellings').all() as { word: string }[]
  const known = new Set(names)
  const synonymous = synonyms.listWords((word) => known.has(word) || isFiller(word) || countProducts(word) > 0)
  const words = new Set([...rows.map(({ word }) => word), ...[...names, ...synonymous].filter(isCorrectable)])
  const byLength = groupWords(words, (word) => word.length)
  const byFirstLetter = groupWords(words, (word) => word[0])

  /** Returns the words with the fewest mistakes. */
  function findNearest(word: string, maxDistance: number): string[] {
    const near: string[][] = [[], [], []]
    const typed = toLetters(word)
    for (let length = word.length - maxDistance; length <= word.length + maxDistance; length++) {
      const { list, letters } = byLength.get(length) ?? NO_WORDS
      for (let at = 0; at < list.length; at++) {
        if (countBits(typed ^ letters[at]!) > 2 * maxDistance) continue
        near[countMistakes(word, list[at]!, maxDistance + 1)]?.push(list[at]!)
      }
    }
    return near.slice(0, maxDistance + 1).find((candidates) => candidates.length > 0) ?? []
  }

  function findAlike(word: string): string[] {
    const sound = toPhoneticKey(word)
    return sound.length < MIN_SOUNDS
      ? []
      : findNearest(word, 2).filter((candidate) => toPhoneticKey(candidate) === sound)
  }

  function findSimilar(word: string): string | undefined {
    const nearest = findNearest(word, word.length >= LONG_WORD ? 2 : 1)
    const similar = nearest.length > 0 ? nearest : findAlike(word)
    return findMostFrequent(similar.slice(0, MAX_CANDIDATES))
  }

  const findMostFrequent = (candidates: readonly string[]): string | undefined =>
    candidates
      .map((candidate) => ({ candidate, count: countProducts(candidate) }))
      .sort((one, other) => other.count - one.count)[0]?.candidate

  /** Returns how a known word begins: as typed, or else with one mistake after the first letter. */
  function findBeginning(typed: string): string | undefined {
    const ofTyped = toLetters(typed)
    const begun = new Map<string, string>()
    const { list, letters } = byFirstLetter.get(typed[0]) ?? NO_WORDS
    for (let at = 0; at < list.length; at++) {
      if (countBits(ofTyped & ~letters[at]!) > 1) continue
      if (list[at]!.startsWith(typed)) return typed
      const isCompared = typed.length >= MIN_BEGINNING && begun.size < MAX_BEGUN
      const beginning = isCompared ? findSimilarBeginning(typed, list[at]!) : undefined
      if (beginning !== undefined) begun.set(list[at]!, beginning)
    }
    return begun.get(findMostFrequent([...begun.keys()]) ?? '')
  }

  function correctWord(word: string): string {
    const singular = toSingular(word)
    const confused = findCommonlyConfusedWord(singular)
    if (confused !== undefined && words.has(confused)) return confused
    const isUnknown = isCorrectable(singular) && !isFiller(word) && !words.has(singular)
    return isUnknown ? (findSimilar(singular) ?? word) : word
  }

  const correctBeginning = (word: string): string =>
    isCorrectable(word) ? (findBeginning(word) ?? correctWord(word)) : word

  return {
    correct(text, { isTyping = false } = {}) {
      const typed = splitWords(text).slice(0, MAX_WORDS)
      const corrected = typed.map((word, at) =>
        isTyping && at === typed.length - 1 ? correctBeginning(word) : correctWord(word),
      )
      return corrected.some((word, index) => word !== typed[index]) ? corrected.join(' ') : null
    },
  }
}

/** Returns the beginning of a word that has one mistake compared with a typed one. */
const findSimilarBeginning = (typed: string, word: string): string | undefined =>
  [0, 1, -1].map((more) => word.slice(0, typed.length + more)).find((begun) => countMistakes(typed, begun, 2) === 1)

/** Two neighbours that changed places are one mistake (optimal string alignment). */
function countMistakes(typed: string, word: string, maxDistance: number): number {
  const distance = leven(typed, word, { maxDistance })
  return distance === 2 && isTransposed(typed, word) ? 1 : distance
}

function isTransposed(typed: string, word: string): boolean {
  let at = 0
  while (typed[at] === word[at]) at += 1
  return word === typed.slice(0, at) + (typed[at + 1] ?? '') + typed[at] + typed.slice(at + 2)
}

/** Words with the letters of each. */
interface WordGroup {
  list: readonly string[]
  letters: Uint32Array
}

const NO_WORDS: WordGroup = { list: [], letters: new Uint32Array() }

const groupWords = <K>(words: Iterable<string>, keyOf: (word: string) => K): Map<K, WordGroup> =>
  new Map(
    [...Map.groupBy(words, keyOf)].map(([key, list]) => [key, { list, letters: Uint32Array.from(list, toLetters) }]),
  )

/** Returns a bit for each letter of a word. One mistake changes two bits at most, so most words need no closer comparison. */
function toLetters(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters >>> 0
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** Returns the number of products that have a word. */
function prepareWordCount(database: DatabaseSync) {
  const statement = database.prepare('SELECT sum(count) AS count FROM word_ids WHERE word = ?')
  return (word: string): number => (statement.get(word) as { count: number | null }).count ?? 0
}
