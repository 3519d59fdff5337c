import { expect } from 'chai'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { readContractBreaks } from '../../../adapters/tryton/pricing/contract-prices.ts'
import { readPriceList } from '../../../adapters/tryton/pricing/price-list-reader.ts'
import type { PricedProductRow } from '../../../adapters/tryton/pricing/price-record-reader.ts'
import { createCall } from '../../support/create-call.ts'

const unit = { id: 1, symbol: 'u', factor: 1 }
const goods = [{ id: 7, code: 'P', 'default_uom.': unit, categories_all: [] }] as unknown as PricedProductRow[]

/** A price list whose price falls by a hundredth at each of its quantities. */
const listOf = (quantities: number) =>
  (async (
    answer: { parse(value: unknown): unknown },
    method: string,
    [ids]: [number[]],
    _: unknown,
    context?: { quantity: number },
  ) => {
    if (method === 'product.price_list.read')
      return answer.parse([{ id: 9, tax_included: false, unit: 'product_default' }])
    if (method === 'product.price_list.line.search_read')
      return answer.parse(
        Array.from({ length: quantities }, (_, i) => ({
          id: i,
          quantity: (i + 1) * 10,
          product: null,
          category: null,
        })),
      )
    const reached = Math.floor(context!.quantity / 10)
    return answer.parse(ids.map((id) => ({ id, sale_price_uom: { decimal: (100 - reached / 100).toFixed(2) } })))
  }) as unknown as Rpc

describe('tryton: a price list, from its lines to the prices', () => {
  for (const quantities of [0, 1, 19, 20, 39])
    it(`with ${quantities} quantities is priced at each of them`, async () => {
      const rpc = listOf(quantities)
      const list = await readPriceList(rpc, 9, () => Promise.reject(new Error('not asked for')), createCall())
      const breaks = await readContractBreaks(rpc, 3, { ...list, includedTaxIds: () => [] }, goods, createCall())
      expect(breaks.get(7)!.map(({ minQuantity, price }) => [minQuantity.toNumber(), Number(price)])).to.deep.equal([
        [1, 100],
        ...Array.from({ length: quantities }, (_, i) => [(i + 1) * 10, 100 - (i + 1) / 100]),
      ])
    })
})
