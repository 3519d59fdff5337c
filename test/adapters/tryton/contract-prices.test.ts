import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { readContractBreaks, readContractPrices } from '../../../adapters/tryton/pricing/contract-prices.ts'
import type { PriceList } from '../../../adapters/tryton/pricing/price-list-reader.ts'
import type { PricedProductRow } from '../../../adapters/tryton/pricing/price-record-reader.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'

describe('tryton: the contract prices of a cart', () => {
  it('take one call per quantity of the price list, however many lines there are', async () => {
    const goods = Array.from({ length: 200 }, (_, i) => ({
      id: i + 1,
      code: `P${i}`,
      'default_uom.': { id: 1, symbol: 'u', factor: 1 },
    })) as unknown as PricedProductRow[]
    const asked: number[] = []
    const rpc = (async (
      _: unknown,
      __: string,
      [ids]: [number[]],
      ___: unknown,
      { quantity }: { quantity: number },
    ) => {
      asked.push(quantity)
      const price = quantity >= 100 ? '8' : quantity >= 10 ? '9' : '10'
      return ids.map((id) => ({ id, sale_price_uom: { decimal: price } }))
    }) as unknown as Rpc
    const always = () => true
    const quantities = new Map([1, 10, 100].map((units) => [units, always]))
    const list = { id: 9, tax_included: false, unit: 'product_default', quantities } as unknown as PriceList
    const prices = await readContractPrices(rpc, 3, list, goods, ({ id }) => new Decimal(id).minus('0.5'), createCall())
    // A quantity below one unit is requested as it is, because a list may have smaller ones.
    expect(asked).to.have.length(4)
    expect([1, 2, 10, 11, 100, 101].map((id) => prices.get(id))).to.deep.equal(['10', '10', '10', '9', '9', '8'])
  })
})

describe('tryton: a price list of many quantities', () => {
  const unit = { id: 1, symbol: 'u', factor: 1 }
  const goods = Array.from({ length: 50 }, (_, i) => ({
    id: i + 1,
    code: `P${i}`,
    'default_uom.': unit,
  })) as PricedProductRow[]
  /** A list with a price for one product at each of its quantities. */
  const listOf = (products: number) => {
    const own = Array.from({ length: products }, (_, i) => [i + 2, ({ id }: PricedProductRow) => id === i + 1] as const)
    const quantities = new Map([[1, () => true], ...own])
    return { id: 9, tax_included: false, unit: 'product_default', quantities } as unknown as PriceList
  }
  const rpc = (async (_: unknown, __: string, [ids]: [number[]], ___: unknown, { quantity }: { quantity: number }) =>
    ids.map((id) => ({ id, sale_price_uom: { decimal: quantity === 1 ? '10' : '9' } }))) as unknown as Rpc

  it('prices a page with few enough quantities', async () => {
    const breaks = await readContractBreaks(rpc, 3, listOf(1_000), goods.slice(0, 39), createCall())
    expect(breaks.size).to.equal(39)
    for (const [id, own] of breaks)
      expect(own.map(({ minQuantity, price }) => [minQuantity.toNumber(), price])).to.deep.equal([
        [1, '10'],
        [id + 1, '9'],
      ])
  })

  it('rejects a page with more quantities, rather than price it wrongly', async () => {
    const refused = await failureOf(readContractBreaks(rpc, 3, listOf(1_000), goods.slice(0, 40), createCall()))
    expect(refused).to.include({ failure: 'rejected' })
    expect(refused.message).to.equal(
      'price list 9 has 41 quantities, or 41 with each unit, for the products of one page',
    )
  })

  it('makes one call per quantity and unit, up to a limit', async () => {
    const units = goods.map((row, i) => ({ ...row, 'sale_uom.': { ...unit, id: i + 10, factor: i + 2 } }))
    const always = () => true
    const list = (most: number) => {
      const quantities = new Map(Array.from({ length: most }, (_, i) => [i + 1, always]))
      return { ...listOf(0), unit: 'product_sale', quantities } as PriceList
    }
    expect((await readContractBreaks(rpc, 3, list(2), units, createCall())).size).to.equal(50)
    const { message } = await failureOf(readContractBreaks(rpc, 3, list(3), units, createCall()))
    expect(message).to.include('has 3 quantities, or 150 with each unit,')
  })

  it('prices a cart with all of them, each line by its own quantities', async () => {
    const asked: [ids: number[], quantity: number][] = []
    const heard = (async (...params: Parameters<Rpc>) => {
      const [, , [ids], , context] = params as unknown as [0, 0, [number[]], 0, { quantity: number }]
      asked.push([ids, context.quantity])
      return rpc(...params)
    }) as unknown as Rpc
    const pieces = ({ id }: PricedProductRow) => new Decimal(id === 3 ? 3 : id * 7)
    const prices = await readContractPrices(heard, 3, listOf(3), goods, pieces, createCall())
    expect(prices.size).to.equal(50)
    // The price of product 3 changes at four: below, it shares the call of the products with one price.
    const others = goods.map(({ id }) => id).filter((id) => id > 2)
    expect(asked).to.deep.equal([
      [[1], 7],
      [[2], 14],
      [others, 3],
    ])
    expect(
      (await readContractPrices(rpc, 3, listOf(50), goods, ({ id }) => new Decimal(id + 1), createCall())).size,
    ).to.equal(50)
  })
})
