import type { Spelling } from '../words/spelling.ts'
import { isFiller, splitWords } from '../words/tokenizer.ts'
import type { VehicleWords } from '../words/vehicle-words.ts'
import { isMatch } from './match-phrase.ts'
import type { WordMatch, WordMatcher } from './match-words.ts'

/** A text that has matches without some of its words. */
export interface ClosestText {
  text: string
  /** As they were typed. */
  leftOut: string[]
  match: WordMatch
}

export interface ClosestTextsParts {
  /** Finds products by all words. */
  matchWhole: WordMatcher
  spelling: () => Spelling
  vehicles: () => VehicleWords
}

interface Word {
  typed: string
  /** As it is searched: its spelling may be corrected. */
  searched: string
  isOfVehicle: boolean
}

interface RankedText extends ClosestText {
  keepsHead: boolean
  naming: Naming
}

/** What the words beside those of a vehicle name: products of a category, products, or neither. */
type Naming = 2 | 1 | 0

/** Each word of a text is searched by itself. */
const MAX_WORDS = 8

/**
 * Returns a function that leaves out of a text the words that no product has. If the others find nothing together, it leaves out one more of
 * them, or the vehicle: all its words or none, because a part of another model does not fit.
 */
export function createClosestTexts({ matchWhole, spelling, vehicles }: ClosestTextsParts) {
  const isKnown = (text: string) => isMatch(matchWhole(text))

  function correct(typed: string): string {
    const corrected = isKnown(typed) ? null : spelling().correct(typed)
    return corrected !== null && isKnown(corrected) ? corrected : typed
  }

  function readWords(typed: readonly string[]): Word[] {
    const searched = typed.map(correct)
    const indexes = new Set(vehicles().parse(searched.join(' '), { hasShortYears: true })?.indexes)
    let next = 0
    return searched.map((word, at) => {
      const isOfVehicle = splitWords(word).map(() => indexes.has(next++))
      return { typed: typed[at]!, searched: word, isOfVehicle: isOfVehicle.every(Boolean) }
    })
  }

  function findNaming(kept: readonly Word[]): Naming {
    const [category, name] = matchWhole(toText(kept.filter(({ isOfVehicle }) => !isOfVehicle))).tiers
    return category?.length ? 2 : name?.length ? 1 : 0
  }

  return function* (text: string): Generator<ClosestText> {
    const typed = text.split(/[\s,;]+/).filter((word) => isWord(word) && !isFiller(word.toLowerCase()))
    if (typed.length < 2 || typed.length > MAX_WORDS) return
    const words = readWords(typed)

    function toClosest(kept: readonly Word[]): ClosestText[] {
      const text = toText(kept)
      const match = matchWhole(text)
      const leftOut = words.filter((word) => !kept.includes(word)).map((word) => word.typed)
      return leftOut.length > 0 && isMatch(match) && isTelling(kept) ? [{ text, leftOut, match }] : []
    }

    function shorten(known: readonly Word[]): RankedText[] {
      const others = known.filter(({ isOfVehicle }) => !isOfVehicle)
      const shorter = [...others.map((word) => known.filter((one) => one !== word)), others]
      const head = findHead(others)
      const ranked = shorter.flatMap((kept) =>
        toClosest(kept).map((one) => ({ ...one, keepsHead: kept.includes(head!), naming: findNaming(kept) })),
      )
      return ranked.length === 0 && others.length < known.length ? shorten(others) : ranked.sort(byRank)
    }

    const vehicle = toText(words.filter(({ isOfVehicle }) => isOfVehicle))
    // A year alone finds nothing: it says which of the products that the other words find.
    const isVehicleKnown = vehicles().parse(vehicle) === null || isKnown(vehicle)
    const known = words.filter(({ searched, isOfVehicle }) => (isOfVehicle ? isVehicleKnown : isKnown(searched)))
    const [ofKnown] = toClosest(known)
    if (ofKnown) yield ofKnown
    else yield* shorten(known)
  }
}

const isWord = (text: string): boolean => splitWords(text).length > 0

const toText = (words: readonly Word[]): string => words.map(({ searched }) => searched).join(' ')

/** The last word of a phrase says what a product is, as "oil" in "motor oil 5w30". A size or a number does not. */
const findHead = (words: readonly Word[]): Word | undefined => words.findLast(({ searched }) => !/\d/.test(searched))

/** The rest of a part number, such as the "OZ" of "OZ 1234", says nothing about what is wanted: a word, a size or a model does. */
const TELLING = /\p{L}{3}|\p{L}.*\d|\d.*\p{L}|[^\0-\x7f]/u
const isTelling = (kept: readonly Word[]): boolean => kept.some(({ searched }) => TELLING.test(searched))

const leavesNumber = ({ leftOut }: ClosestText): boolean => leftOut.some((word) => /\d/.test(word))

/** What says what the product is comes first, then what names products, then what keeps the words rather than a number, then what finds the fewest. */
const byRank = (one: RankedText, other: RankedText): number =>
  Number(other.keepsHead) - Number(one.keepsHead) ||
  other.naming - one.naming ||
  Number(leavesNumber(other)) - Number(leavesNumber(one)) ||
  one.match.ids.length - other.match.ids.length
