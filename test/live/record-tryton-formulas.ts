import { writeFile } from 'node:fs/promises'
import { connectClerk } from '../support/tryton/connect-tryton.ts'
import { trytonAccess } from './support/tryton-environment.ts'
import { createPromotionActions } from './support/tryton-promotion-actions.ts'

/**
 * Computes formulas on a real server for promotion-formula.test.ts: `node test/live/record-tryton-formulas.ts`. `null`: the
 * server rejects the formula.
 */
const GOODS = {
  'OIL-002': '1300.1234',
  'OFL-003': '1190.25',
  'MAP-001': '1200.00',
  'BAT-002': '24900.00',
  'BLB-002': '250.00',
}
const FORMULAS = [
  'unit_price',
  'unit_price * 0.9',
  "unit_price*Decimal('0.9')",
  'unit_price * Decimal("0.9")',
  'unit_price * Decimal(0.9)',
  'unit_price - 100',
  'unit_price - 100.00005',
  'unit_price - unit_price / 10',
  'unit_price / 3',
  'unit_price / 3 * 2',
  'unit_price * 2 / 3',
  '(unit_price - 50) * .95',
  'unit_price - 50 * 0.95',
  '-5 + unit_price',
  '-(-unit_price)',
  '+unit_price',
  '- unit_price',
  '99',
  '99.',
  '1e2',
  '1.5E+2',
  '2 * 10 - 3 - 4',
  '100 / 7 / 3',
  'Decimal(99)',
  "Decimal('1E+2')",
  "Decimal('-5')",
  "(unit_price * 0.85).quantize(Decimal('1'))",
  "(unit_price * 0.85).quantize(Decimal('1.00')) - 0.01",
  "(unit_price / 16).quantize(Decimal('.01'))",
  '(unit_price * 0.85).quantize(1)',
  "(unit_price).quantize(Decimal('10.'))",
  'unit_price.min(1000)',
  'unit_price.max(24000) - 1',
  "(unit_price / 2).max(Decimal('600.5')).min(unit_price)",
  'unit_price * 0.123456789',
  'unit_price * 0.00001',
  'unit_price - 0.00005',
  'unit_price * 1.0000000001 - 0.00015',
  '(((unit_price)))',
  ' unit_price ',
  'unit_price*0.5*0.5*0.5',
  'unit_price * (1 - 0.15) * (1 - 0.05) - 0.01',
  'unit_price / (7 - 0.3) - 1 / 3',
  'unit_price * 2',
  // Syntax that only Python understands.
  'unit_price * 0.5 if unit_price > 1200 else unit_price',
  'unit_price // 7',
  'unit_price % 1000',
  'unit_price ** Decimal("0.9")',
  'min(unit_price, 5)',
  'unit_price * 1_0 / 100',
  'unit_price * 0x1',
  'unit_price + cost_price',
  'unit_price / 0',
]

const desk = connectClerk(trytonAccess().clerk)
const { promote, withdraw, quoted } = createPromotionActions(desk.rpc)
const skus = Object.keys(GOODS)
const lines = Object.entries(GOODS).map(([sku, unit_price]) => ({ sku, unit_price, quantity: '1', taxed: false }))
const plain = { skus, category: null, minimum: null, quantity: null, forTrade: false }
const table: { formula: string; prices: Record<string, string> | null }[] = []
for (const formula of FORMULAS) {
  const made: number[] = []
  try {
    made.push(await promote({ ...plain, formula, code: 'FORMULA' }))
    // From a price that no formula exceeds, because Tryton keeps the lower price.
    const high = lines.map((line) => ({ ...line, unit_price: '99999.00' }))
    const there = await quoted(4, high, ['FORMULA'])
    const prices = there.map(({ price }, i) => [lines[i]!.unit_price, price])
    table.push({ formula, prices: Object.fromEntries(prices) })
  } catch {
    table.push({ formula, prices: null })
  } finally {
    await withdraw(made)
  }
}
await desk.close()
const file = new URL('../../fixtures/tryton-formulas.json', import.meta.url)
await writeFile(file, `${JSON.stringify(table, null, 1)}\n`)
