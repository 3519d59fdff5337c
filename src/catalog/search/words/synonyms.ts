import { toSearchWords } from './tokenizer.ts'

/** Words and phrases that find the same products, as a merchant lists them. */
export interface Synonyms {
  /**
   * Returns the text, then texts with synonyms of its words. With `isTyping`, the last word may be only the beginning of a word.
   */
  expand(text: string, options?: { isTyping?: boolean }): string[]
  /** The words of all synonyms, in the singular. */
  readonly words: readonly string[]
}

const MAX_WORDS = 16
/** The maximum number of texts: each is searched. */
const MAX_TEXTS = 8
/** A shorter beginning of a phrase has too many. */
const MIN_BEGINNING = 3

interface Phrase {
  words: readonly string[]
  /** The other phrases of its group. */
  others: readonly string[]
}

/** `groups`: the phrases of each group mean the same. */
export function createSynonyms(groups: readonly (readonly string[])[]): Synonyms {
  const phrases = groups.flatMap(toPhrases).sort((one, other) => other.words.length - one.words.length)
  if (phrases.length === 0) return { expand: (text) => [text], words: [] }

  /** Returns the longest phrase that begins at a word. */
  function findPhrase(typed: readonly string[], at: number, isTyping: boolean): Phrase | undefined {
    const isSame = (word: string, index: number) => {
      const own = typed[at + index]
      if (own === undefined) return false
      const isLast = at + index === typed.length - 1
      const isBeginning = isTyping && isLast && (index > 0 || own.length >= MIN_BEGINNING)
      return isBeginning ? word.startsWith(own) : word === own
    }
    return phrases.find(({ words }) => words.every(isSame))
  }

  return {
    expand(text, { isTyping = false } = {}) {
      const typed = toSearchWords(text).slice(0, MAX_WORDS)
      let texts = ['']
      for (let at = 0; at < typed.length; ) {
        const phrase = findPhrase(typed, at, isTyping)
        const length = phrase?.words.length ?? 1
        const alternatives = [typed.slice(at, at + length).join(' '), ...(phrase?.others ?? [])]
        texts = alternatives
          .flatMap((alternative) => texts.map((start) => `${start} ${alternative}`))
          .slice(0, MAX_TEXTS)
        at += length
      }
      return [text, ...texts.slice(1).map((other) => other.trim())]
    },
    words: [...new Set(phrases.flatMap(({ words }) => words))],
  }
}

function toPhrases(group: readonly string[]): Phrase[] {
  const phrases = [...new Set(group.map((phrase) => toSearchWords(phrase).join(' ')))].filter((phrase) => phrase !== '')
  return phrases.map((phrase) => ({
    words: phrase.split(' '),
    others: phrases.filter((other) => other !== phrase),
  }))
}
