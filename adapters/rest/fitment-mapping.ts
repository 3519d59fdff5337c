import { type Static, Type } from 'typebox'
import type { Fitment } from '../../src/ports/sku-fitments.ts'
import { nullish, truncateText } from './protocol-values.ts'

const MAX_NOTES_LENGTH = 2_000

export const FitmentRow = Type.Object({
  positions: Type.Optional(Type.Array(Type.String())),
  quantity: nullish(Type.Number()),
  notes: nullish(Type.String()),
  qualifiers: Type.Optional(Type.Array(Type.Object({ code: Type.String(), text: Type.String() }))),
})

export function toFitment({
  positions = [],
  quantity = null,
  notes,
  qualifiers = [],
}: Static<typeof FitmentRow>): Fitment {
  const plainQualifiers = qualifiers.map(({ code, text }) => ({ code, text }))
  return { positions, quantity, notes: truncateText(notes, MAX_NOTES_LENGTH), qualifiers: plainQualifiers }
}
