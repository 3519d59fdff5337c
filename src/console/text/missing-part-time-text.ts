import type { AbsentPart, AbsentParts } from '../../storage/catalog/absent-product-parts.ts'
import type { RefusedCheckoutsOfProduct } from './carts-with-product-text.ts'
import type { DisplayTime } from './format-times.ts'

/** What is known of the time since when a part of a product has been missing. Times are in milliseconds since the epoch. */
export interface MissingPartFacts {
  /** `undefined`: the product itself. */
  part: AbsentPart | undefined
  /** When Forecourt read the part last; `null`: neither a cache nor the mirror has it. */
  lastSetAt: number | null
  absent: AbsentParts | null
  refusedCheckouts: RefusedCheckoutsOfProduct | null
}

const partNames: Readonly<Record<AbsentPart, string>> = {
  price: 'a price',
  tax: 'a tax',
  availability: 'an availability',
}

/** Says until when at least a part of a product was set, or since when at the latest it has been missing. */
export function describeMissingSince(
  { part, lastSetAt, absent, refusedCheckouts }: MissingPartFacts,
  toTime: (at: number) => DisplayTime,
): string {
  const known = [
    ...(lastSetAt === null
      ? []
      : [
          `It had ${part ? partNames[part] : 'an entry'} until ${toTime(lastSetAt).text} at least: Forecourt read it then, for shoppers who are not signed in.`,
        ]),
    // A part that was read as absent has been so since the last change of the product, or longer.
    ...(part && absent?.parts.includes(part) && absent.changedAt > (lastSetAt ?? 0)
      ? [
          `Missing since ${toTime(absent.changedAt).text}, or since longer ago: that is when Forecourt last read a change of this product.`,
        ]
      : []),
  ]
  const since = known.length > 0 ? known : ['Since when it has been missing is not known.']
  const refused = refusedCheckouts
    ? [`The first recorded checkout that was refused for this product was at ${toTime(refusedCheckouts.firstAt).text}.`]
    : []
  const unknown =
    lastSetAt === null
      ? 'Whether it was ever set for shoppers who are not signed in, and how many of them saw the product without it, is not recorded.'
      : 'How many shoppers saw the product without it is not recorded.'
  return [...since, ...refused, unknown].join(' ')
}
