import { type Static, Type } from 'typebox'
import type { Finding } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { nullable, TrytonBoolean, TrytonDecimal, TrytonId } from '../client/tryton-values.ts'
import { type CheckContext, createFinding, formatNameList, hasAnySystem } from './check.ts'

const Coded = Type.Object({ id: TrytonId, code: nullable(Type.String()), active: TrytonBoolean })
const CodedRows = responseSchema(Type.Array(Coded))
const Priced = Type.Object({
  id: TrytonId,
  code: nullable(Type.String()),
  list_price: Type.Optional(nullable(TrytonDecimal)),
  'account_category.': Type.Optional(
    nullable(Type.Object({ customer_taxes_used: Type.Optional(Type.Array(TrytonId)) })),
  ),
})
const PricedRows = responseSchema(Type.Array(Priced))
const Count = responseSchema(Type.Integer())

/** Few enough to be read within what one question may take. */
const READ_ROWS = 1_000
/** Beyond so many products the rest is taken on trust. */
const MOST_CODES = 100_000
const MOST_PRICES = 1_000
const FOR_SALE = [
  ['salable', '=', true],
  ['active', '=', true],
  ['template.active', '=', true],
]

/** Codes, sale prices and taxes of products. Tryton searches neither prices nor taxes: of these the oldest products are read. */
export async function checkProducts(looker: CheckContext): Promise<Finding[]> {
  const codes = hasAnySystem(looker, 'inventory')
    ? [...(await lookAtCodes(looker)), ...(await lookAtCodeless(looker))]
    : []
  return hasAnySystem(looker, 'pricing', 'accounting') ? [...codes, ...(await lookAtPrices(looker))] : codes
}

async function lookAtCodes({ rpc, call }: CheckContext): Promise<Finding[]> {
  const rows: Static<typeof Coded>[] = []
  for (let more = true; more && rows.length < MOST_CODES; ) {
    const domain = [
      ['id', '>', rows.at(-1)?.id ?? 0],
      ['code', '!=', null],
      ['active', 'in', [true, false]],
    ]
    const params = [domain, 0, READ_ROWS, [['id', 'ASC']], ['code', 'active']]
    const page = await rpc(CodedRows, 'product.product.search_read', params, call())
    for (const row of page) rows.push(row)
    more = page.length === READ_ROWS
  }
  return [...doubles(rows), ...lookalikes(rows)]
}

/** Tryton itself refuses two active products of one code, but not one that was retired. */
function doubles(rows: readonly Static<typeof Coded>[]): Finding[] {
  const doubled = [...Map.groupBy(rows, ({ code }) => code)].filter(([code, { length }]) => code && length > 1)
  if (doubled.length === 0) return []
  const named = doubled.map(([code, own]) => `${code} (products ${own.map(({ id }) => id).join(', ')})`)
  return [
    createFinding(
      'warning',
      'duplicate_sku',
      `codes that are on several products (${doubled.length}): ${formatNameList(named)}`,
      'Give retired products a code of their own: the active one stands for the SKU, then the oldest',
    ),
  ]
}

/** Codes that differ by case or spaces alone are two SKUs to Tryton, and one to whoever types them. */
function lookalikes(rows: readonly Static<typeof Coded>[]): Finding[] {
  const active = rows.filter(({ code, active }) => active && code)
  const alike = [...Map.groupBy(active, ({ code }) => code!.replace(/\s+/g, '').toLowerCase()).values()]
    .filter((own) => own.length > 1)
    .map((own) => own.map(({ id, code }) => `"${code}" (product ${id})`).join(' and '))
  if (alike.length === 0) return []
  return [
    createFinding(
      'warning',
      'similar_sku',
      `codes that differ by case or spaces alone (${alike.length}): ${formatNameList(alike)}`,
      'Give each product a code of its own, or retire the one that was made by mistake',
    ),
  ]
}

async function lookAtCodeless({ rpc, call }: CheckContext): Promise<Finding[]> {
  const domain = [...FOR_SALE, ['OR', [['code', '=', null]], [['code', '=', '']]]]
  const count = await rpc(Count, 'product.product.search_count', [domain], call())
  if (count === 0) return []
  const remedy = 'Give them a code in Tryton, if the storefront shall sell them: it is their SKU'
  return [
    createFinding('note', 'product_without_code', `products for sale without a code are not shown: ${count}`, remedy),
  ]
}

async function lookAtPrices({ rpc, call, systems }: CheckContext): Promise<Finding[]> {
  const domain = [...FOR_SALE, ['code', '!=', null], ['code', '!=', '']]
  const fields = ['code', 'list_price', 'account_category.customer_taxes_used']
  const params = [domain, 0, MOST_PRICES, [['id', 'ASC']], fields]
  const rows = await rpc(PricedRows, 'product.product.search_read', params, call())
  const told = (check: string, own: readonly Static<typeof Priced>[], says: string, remedy: string): Finding[] => {
    if (own.length === 0) return []
    const names = formatNameList(own.map(({ code }) => code ?? ''))
    const severity = own.length > rows.length / 2 ? 'error' : 'warning'
    return [createFinding(severity, check, `${own.length} of ${rows.length} products ${says}: ${names}`, remedy)]
  }
  const price = ({ list_price }: Static<typeof Priced>) => list_price && Number(list_price.decimal)
  const pricing = systems.includes('pricing')
  return [
    ...told(
      'product_without_price',
      pricing ? rows.filter((row) => price(row) == null) : [],
      'have no sale price in this company: they are shown without one and cannot be sold',
      'Fill in the sale price ("List Price") on the product in Tryton; is it missing for all, look at {path}.company',
    ),
    ...told(
      'price_of_zero',
      pricing ? rows.filter((row) => price(row) === 0) : [],
      'have a sale price of 0',
      'Fill in the sale price ("List Price") on the product in Tryton, or take its mark "Salable" away',
    ),
    ...told(
      'product_without_tax',
      systems.includes('accounting') ? rows.filter((row) => !row['account_category.']) : [],
      'have no accounting category, which names their taxes: they cannot be sold',
      'Give the product an accounting category in Tryton (with no customer tax, if none is due)',
    ),
  ]
}
