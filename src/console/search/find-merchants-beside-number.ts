import type { MerchantDirectory, MerchantDirectoryEntry } from '../merchant-directory.ts'

/** A merchant whose name or id was typed beside a number: `Acme BP-1009`, `BP-1009 acme`. */
export interface MerchantBeside {
  merchant: string
  /** The typed text without the name or id of the merchant. */
  rest: string
}

const MIN_LENGTH = 2

/** Finds the merchants whose id, or the first words of whose name, are beside a number. A text without a digit has no number. */
export function findMerchantsBesideNumber({ all }: Pick<MerchantDirectory, 'all'>, text: string): MerchantBeside[] {
  return all.flatMap((entry) => {
    const rest = listSpellings(entry)
      .map((name) => removeName(text, name))
      .find((left) => left !== null && /\d/.test(left))
    return rest ? [{ merchant: entry.merchant, rest }] : []
  })
}

/** The longest one first; the first word of `Acme, Inc.` is also `Acme`. */
function listSpellings({ merchant, name }: MerchantDirectoryEntry): string[] {
  const words = name.split(' ')
  const beginnings = words.map((_, index) => words.slice(0, words.length - index).join(' '))
  const plain = beginnings.map((beginning) => beginning.replace(/[,.;:]+$/, ''))
  return [...beginnings, ...plain, merchant]
    .filter(({ length }) => length >= MIN_LENGTH)
    .toSorted((one, other) => other.length - one.length)
}

function removeName(text: string, name: string): string | null {
  const [typed, known] = [text.toLowerCase(), name.toLowerCase()]
  if (typed.startsWith(`${known} `)) return text.slice(known.length + 1)
  return typed.endsWith(` ${known}`) ? text.slice(0, -known.length - 1) : null
}
