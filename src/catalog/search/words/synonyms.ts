import { splitWords, toSearchWords, toSingular } from './tokenizer.ts'

/** Words and phrases that find the same products, as a merchant lists them. */
export interface Synonyms {
  /**
   * Returns the text, then texts with synonyms of its words. With `isTyping`, the last word may be only the beginning of a word.
   */
  expand(text: string, options?: { isTyping?: boolean }): string[]
  /**
   * Returns the words of the groups in which a phrase consists of known words, in the singular. They are spelt correctly: although no product
   * may have them, they find some.
   */
  listWords(isKnown: (word: string) => boolean): string[]
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
  /** The letters of its first word that must be typed before it is completed. */
  minBeginning: number
}

/** `groups`: the phrases of each group mean the same. */
export function createSynonyms(groups: readonly (readonly string[])[]): Synonyms {
  const phrases = mergeSame(groups.flatMap(toPhrases)).sort((one, other) => other.words.length - one.words.length)
  if (phrases.length === 0) return { expand: (text) => [text], listWords: () => [] }

  /** Returns the longest phrase that begins at a word. */
  function findPhrase(typed: readonly string[], at: number, isTyping: boolean): Phrase | undefined {
    const isSame = (word: string, index: number, minBeginning: number) => {
      const own = typed[at + index]
      if (own === undefined) return false
      const isLast = at + index === typed.length - 1
      const isBeginning = isTyping && isLast && (index > 0 || own.length >= minBeginning)
      return isBeginning ? word.startsWith(own) : word === own
    }
    return phrases.find(({ words, minBeginning }) => words.every((word, index) => isSame(word, index, minBeginning)))
  }

  return {
    expand(text, { isTyping = false } = {}) {
      // Words without synonyms stay as written: "kicks" is a model, and "kick" is not.
      const written = splitWords(text).slice(0, MAX_WORDS)
      const typed = written.map(toSingular)
      const parts: string[][] = []
      for (let at = 0; at < typed.length; ) {
        const phrase = findPhrase(typed, at, isTyping)
        const length = phrase?.words.length ?? 1
        parts.push([written.slice(at, at + length).join(' '), ...(phrase?.others ?? [])])
        at += length
      }
      return [text, ...combine(parts).slice(1)]
    },
    listWords(isKnown) {
      const isKnownPhrase = (words: readonly string[]) => words.every(isKnown) || isKnown(words.join(''))
      const findsProducts = ({ words, others }: Phrase) =>
        [words, ...others.map((other) => other.split(' '))].some(isKnownPhrase)
      return [...new Set(phrases.filter(findsProducts).flatMap(({ words }) => words))]
    },
  }
}

/** Returns the first texts of the parts' alternatives. Each part has a turn, so that a large group does not displace the synonyms of other words. */
function combine(parts: readonly (readonly string[])[]): string[] {
  const texts: string[] = []
  for (let picks = [parts.map(() => 0)]; picks.length > 0 && texts.length < MAX_TEXTS; picks = picks.flatMap(toNext))
    texts.push(...picks.map((pick) => pick.map((index, at) => parts[at]![index]).join(' ')))
  return texts.slice(0, MAX_TEXTS)

  function toNext(pick: readonly number[]): number[][] {
    const last = Math.max(
      0,
      pick.findLastIndex((index) => index > 0),
    )
    return parts.flatMap((part, at) =>
      at < last || pick[at]! + 1 === part.length ? [] : [pick.with(at, pick[at]! + 1)],
    )
  }
}

/** "rotor" and "rotors" are one phrase, which may be in two groups. */
const mergeSame = (phrases: readonly Phrase[]): Phrase[] =>
  [...Map.groupBy(phrases, ({ words }) => words.join(' ')).values()].map((same) => ({
    words: same[0]!.words,
    others: [...new Set(same.flatMap(({ others }) => others))],
    minBeginning: Math.min(...same.map(({ minBeginning }) => minBeginning)),
  }))

function toPhrases(group: readonly string[]): Phrase[] {
  const phrases = [...new Set(group.map((phrase) => toSearchWords(phrase).join(' ')))].filter((phrase) => phrase !== '')
  return phrases.flatMap((phrase) => {
    const others = phrases.filter((other) => other !== phrase)
    const written = { words: phrase.split(' '), others, minBeginning: MIN_BEGINNING }
    if (written.words.length === 1) return [written]
    // "taillight" is typed for "tail light", and "tail" is not the beginning of it alone.
    const joined = phrase.replaceAll(' ', '')
    return [written, { words: [joined], others, minBeginning: written.words[0]!.length + 1 }]
  })
}
