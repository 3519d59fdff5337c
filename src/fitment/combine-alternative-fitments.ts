import type { Fitment } from '../ports/sku-fitments.ts'

const MAX_NOTES = 2_000

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Combines the fitments of one part for one vehicle, each of which is valid by itself. What all have in common stays as it is; where they
 * differ, the notes have a line for each: no condition is lost, and none applies to another mounting.
 */
export function combineAlternativeFitments(fitments: readonly Fitment[]): Fitment {
  const [first, ...others] = fitments as [Fitment, ...Fitment[]]
  if (others.length === 0) return first
  const positions = [...new Set(fitments.flatMap((fitment) => fitment.positions))]
  const differOnlyInPositions = others.every((other) => isSame({ ...other, positions }, { ...first, positions }))
  if (differOnlyInPositions) return { ...first, positions }
  const qualifiers = first.qualifiers.filter((one) =>
    others.every((other) => other.qualifiers.some((candidate) => isSame(candidate, one))),
  )
  const notes = fitments.map((fitment) => describeFitment(fitment, qualifiers)).filter(Boolean)
  return {
    positions,
    quantity: others.every(({ quantity }) => quantity === first.quantity) ? first.quantity : null,
    notes: [...new Set(notes)].join('\n').slice(0, MAX_NOTES) || null,
    qualifiers,
  }
}

function describeFitment({ positions, quantity, notes, qualifiers }: Fitment, common: Fitment['qualifiers']): string {
  const own = qualifiers.filter((one) => !common.some((other) => isSame(one, other)))
  const conditions = own.map(({ code, text }) => (code.startsWith('QUAL') ? text : `${code} ${text}`))
  const count = quantity === null ? '' : `quantity ${quantity}`
  return [positions.join(', '), count, ...conditions, notes ?? ''].filter(Boolean).join('; ')
}
