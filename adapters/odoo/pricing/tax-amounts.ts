import { Decimal } from 'decimal.js'

/** Precise enough for the divisions by included taxes, so that each amount is rounded once. */
const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_UP })

/** A tax that Odoo computes by itself: not a group. */
export interface TaxTerm {
  id: number
  kind: 'percent' | 'fixed'
  /** A percentage, or an amount per unit. */
  amount: Decimal
  isIncluded: boolean
  /** The tax is part of the base of those after it. */
  affectsLater: boolean
  /** The taxes before it that affect later ones are part of its base. */
  isAffected: boolean
}

export interface TaxAmounts {
  /** The amount without any of the taxes. */
  net: Decimal
  /** One for each term. */
  amounts: Decimal[]
}

interface Step extends TaxTerm {
  batch: number
  extraForTax: Decimal
  extraForBase: Decimal
  tax: Decimal | null
}

/**
 * Computes taxes in the order of the terms, as Odoo's `_get_tax_details` does: fixed ones first, then the included ones from the last to
 * the first, then the others. `round` rounds each amount, or returns it unchanged.
 */
export function computeTaxes(
  terms: readonly TaxTerm[],
  price: Decimal,
  quantity: Decimal.Value,
  round: (amount: Decimal) => Decimal,
): TaxAmounts {
  const base = round(new Exact(price).times(quantity))
  const batches = toBatches(terms)
  const zero = new Exact(0)
  const steps = terms.map(
    (term, i): Step => ({ ...term, batch: batches[i]!, extraForTax: zero, extraForBase: zero, tax: null }),
  )
  const settle = (step: Step, compute: (base: Decimal) => Decimal) => {
    if (step.tax !== null) return
    step.tax = round(compute(base.plus(step.extraForTax)))
    passOn(step, steps)
  }
  const backwards = steps.toReversed()
  for (const step of backwards.filter(({ kind }) => kind === 'fixed'))
    settle(step, () => new Exact(quantity).times(step.amount))
  for (const step of backwards.filter(({ isIncluded }) => isIncluded)) {
    const percent = Exact.sum(0, ...steps.filter(({ batch }) => batch === step.batch).map(({ amount }) => amount))
    settle(step, (amount) => amount.times(step.amount).div(percent.plus(100)))
  }
  for (const step of steps) settle(step, (amount) => amount.times(step.amount).div(100))
  const first = steps[0]
  if (!first) return { net: base, amounts: [] }
  const own = first.isIncluded ? steps.filter(({ batch }) => batch === first.batch) : []
  return {
    net: base.plus(first.extraForBase).minus(Exact.sum(0, ...own.map(({ tax }) => tax!))),
    amounts: steps.map(({ tax }) => tax!),
  }
}

/** Returns the amounts of taxes on a price without them: included ones are added, too. */
export const computeTaxesOnNet = (terms: readonly TaxTerm[], net: Decimal): Decimal[] =>
  computeTaxes(
    terms.map((term) => ({ ...term, isIncluded: false })),
    net,
    1,
    (amount) => amount,
  ).amounts

/** Numbers the taxes that are computed from the same base: neighbors of the same kind. */
function toBatches(terms: readonly TaxTerm[]): number[] {
  const batches: number[] = new Array(terms.length)
  let batch = 0
  for (let i = terms.length - 1; i >= 0; i -= 1) {
    const term = terms[i]!
    const later = terms[i + 1]
    const isSame =
      later !== undefined &&
      term.kind === later.kind &&
      term.isIncluded === later.isIncluded &&
      term.affectsLater === later.affectsLater &&
      !(term.affectsLater && later.isAffected)
    if (later !== undefined && !isSame) batch += 1
    batches[i] = batch
  }
  return batches
}

/** Adds a tax to the bases of the others that it is part of, or takes it out of them. */
function passOn(step: Step, steps: readonly Step[]): void {
  const tax = step.tax!
  const add = (other: Step, amount: Decimal) => {
    if (other.tax === null) other.extraForTax = other.extraForTax.plus(amount)
    other.extraForBase = other.extraForBase.plus(amount)
  }
  // Batches are numbered from the last one.
  const later = steps.filter(({ batch }) => batch < step.batch)
  const earlier = steps.filter(({ batch }) => batch > step.batch)
  if (!step.isIncluded) {
    if (step.affectsLater) for (const other of later.filter(({ isAffected }) => isAffected)) add(other, tax)
    return
  }
  for (const other of later) if (!step.affectsLater || !other.isAffected) add(other, tax.neg())
  for (const other of earlier) add(other, tax.neg())
}
