import { eachWord, toSingular } from '../../search/words/tokenizer.ts'
import { createWordDictionary } from './word-dictionary.ts'

const MAX_WORDS = 50_000

/** A word of a text as it is written, and the index words by which it is found. */
export interface TextWord<W> {
  written: string
  singular: string
  words: W[]
}

/** Returns a function that returns the words of a text. The index words of a word are computed once. */
export function createCachingTokenizer<W>(toWords: (word: string) => W[]): (text: string) => TextWord<W>[] {
  let dictionary = createWordDictionary()
  let known: TextWord<W>[] = []

  function read(text: string, from: number, to: number): TextWord<W> {
    const code = dictionary.codeOf(text, from, to)
    const written = dictionary.words[code]!
    known[code] ??= { written, singular: toSingular(written), words: toWords(written) }
    return known[code]
  }

  return (text) => {
    if (known.length >= MAX_WORDS) [dictionary, known] = [createWordDictionary(), []]
    const words: TextWord<W>[] = []
    eachWord(text, (folded, from, to) => void words.push(read(folded, from, to)))
    return words
  }
}
