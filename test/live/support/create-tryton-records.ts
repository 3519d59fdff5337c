import { Type } from 'typebox'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { toTrytonDecimal } from '../../../adapters/tryton/client/tryton-values.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCallWithLongDeadline } from './long-deadline-call.ts'
import { trytonSeriesDifferences } from './tryton-series-differences.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))
const Anything = responseSchema(Type.Unknown())

/** Creates parties with credit, so many that none has many open orders: reading the credit of a party takes longer with each. */
export async function createCreditCustomers(rpc: Rpc, count: number, limit = '5000000'): Promise<string[]> {
  const find = async (model: string, domain: unknown[]) =>
    (await rpc(Ids, `${model}.search`, [domain, 0, 1, null], createCallWithLongDeadline()))[0]
  const [term, country, subdivision] = await Promise.all([
    find('account.invoice.payment_term', [['name', '=', '30 days']]),
    find('country.country', [['code', '=', 'JM']]),
    find('country.subdivision', [['code', '=', 'JM-01']]),
  ])
  const address = { street: '12 Constant Spring Road', city: 'Kingston', country, subdivision }
  const values = Array.from({ length: count }, (_, n) => ({
    name: `Workshop ${n + 1}`,
    addresses: [['create', [{ ...address, invoice: true, delivery: true }]]],
    customer_payment_term: term,
    credit_limit_amount: toTrytonDecimal(limit),
  }))
  return (await rpc(Ids, 'party.party.create', [values], createCallWithLongDeadline())).map(String)
}

/** Creates products in pages: with price, stock and category. */
export async function createStockedProducts(rpc: Rpc, count: number, prefix = 'SHF'): Promise<string[]> {
  const find = async (model: string, domain: unknown[]) =>
    (await rpc(Ids, `${model}.search`, [domain, 0, 1, [['id', 'ASC']]], createCallWithLongDeadline()))[0]!
  const [unit, taxed, category, from_location, to_location] = await Promise.all([
    find('product.uom', [['name', '=', 'Unit']]),
    find('product.category', [['name', '=', 'Goods with GCT']]),
    find('product.category', [['name', '=', 'Air Filters']]),
    find('stock.location', [['type', '=', 'lost_found']]),
    find('stock.location', [['code', '=', 'STO']]),
  ])
  const skus = Array.from({ length: count }, (_, n) => `${prefix}-${String(n + 1).padStart(3, '0')}`)
  const values = skus.map((code, n) => ({
    code,
    name: `Cabin Filter ${n + 1}`,
    type: 'goods',
    default_uom: unit,
    salable: true,
    sale_uom: unit,
    list_price: toTrytonDecimal(`${900 + n}.50`),
    account_category: taxed,
    categories: [['add', [category]]],
    products: [['create', [{ cost_price: toTrytonDecimal('400') }]]],
  }))
  await rpc(Ids, 'product.template.create', [values], createCallWithLongDeadline())
  const products = await rpc(
    Ids,
    'product.product.search',
    [[['code', 'in', skus]], 0, null, null],
    createCallWithLongDeadline(),
  )
  const moves = products.map((product) => ({
    product,
    [trytonSeriesDifferences().moveUnit]: unit,
    quantity: 50,
    company: 1,
    from_location,
    to_location,
  }))
  const made = await rpc(Ids, 'stock.move.create', [moves], createCallWithLongDeadline())
  await rpc(Anything, 'stock.move.do', [made], createCallWithLongDeadline())
  return skus
}
