import type { SeededRandom } from '../../crash/seeded-random.ts'

/** Products of the demo merchant: with breaks, four decimals, no tax, fractions of a unit; the last two for automatic promotions. */
const SKUS = ['OFL-001', 'BAT-001', 'PAD-001', 'OIL-002', 'MAP-001', 'OFL-008', 'AFL-007', 'DSC-007'] as const
export const CODELESS_PROMOTION_SKUS = ['AFL-007', 'DSC-007'] as const

export interface PromotionCase {
  customerId: string
  lines: { line_id: string; sku: string; quantity: string }[]
  promotions: {
    formula: string
    /** Without it, for everyone who buys the products. */
    code: string | null
    skus: string[]
    category: string | null
    minimum: { amount: string; untaxed: boolean } | null
    quantity: number | null
    forTrade: boolean
  }[]
}

/** Returns a random cart, and promotions of which some match it. */
export function randomPromotionCase(random: SeededRandom, n: number): PromotionCase {
  const lines = Array.from({ length: random.between(1, 4) }, (_, i) => lineOf(random, i))
  const promotions = Array.from({ length: random.between(1, 3) }, (_, i) => {
    const code = random.next() < 0.75 ? `CASE${n}X${i}` : null
    const some =
      code === null ? [...CODELESS_PROMOTION_SKUS] : random.next() < 0.4 ? [random.of(SKUS), random.of(SKUS)] : []
    return {
      formula: formulaFrom(random),
      code,
      skus: [...new Set(some)],
      category: random.next() < 0.3 ? random.of(['Filters', 'Catalog', 'Brake Pads']) : null,
      minimum: random.next() < 0.3 ? { amount: minimumFrom(random), untaxed: random.next() < 0.5 } : null,
      quantity: random.next() < 0.3 ? random.between(1, 15) : null,
      forTrade: random.next() < 0.2,
    }
  })
  return { customerId: random.of(['3', '4', '5']), lines, promotions }
}

function lineOf(random: SeededRandom, at: number) {
  const sku = random.of(SKUS)
  const fraction = sku === 'OIL-002' ? random.of(['', '.25', '.5']) : ''
  return { line_id: `l${at}`, sku, quantity: `${random.between(1, 14)}${fraction}` }
}

const minimumFrom = (random: SeededRandom) => `${random.between(1, 60_000)}.${random.of(['00', '50', '99'])}`

function formulaFrom(random: SeededRandom): string {
  const part = () => (random.between(1, 999) / 1_000).toFixed(random.between(1, 3))
  const sum = () => String(random.between(1, 4_000) / random.of([1, 4, 100]))
  return random.of([
    () => `unit_price * ${part()}`,
    () => `unit_price * Decimal('${part()}')`,
    () => `unit_price - ${sum()}`,
    () => `unit_price * (1 - ${part()}) - ${sum()} / 3`,
    () => `(unit_price * ${part()}).quantize(Decimal('${random.of(['1', '0.1', '1.00', '.01'])}')) - 0.01`,
    () => `(unit_price / 7).max(Decimal(${sum()}))`,
    () => `unit_price.min(${sum()} + unit_price / 2)`,
    () => `-(-unit_price + ${sum()}) * 1e0`,
    () => sum(),
  ])()
}
