import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import type { Rpc } from '../../../adapters/tryton/client/rpc.ts'
import { readContractBreaks, readContractPrices } from '../../../adapters/tryton/pricing/contract-prices.ts'
import type { PriceList } from '../../../adapters/tryton/pricing/price-list.ts'
import type { PricedProductRow } from '../../../adapters/tryton/pricing/price-reader.ts'
import { createCall, failureOf } from '../conformance/subject.ts'

describe('tryton: the contract prices of a cart', () => {
  it('are asked for once for each quantity at which the list may change its mind, however many lines there are', async () => {
    const goods = Array.from({ length: 200 }, (_, i) => ({
      ...{ id: i + 1, code: `P${i}`, 'default_uom.': { id: 1, symbol: 'u', factor: 1 } },
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
    // What is less than one unit is asked for as it is: a list may have smaller quantities.
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
  /** At each of so many quantities one product has a price of its own. */
  const listOf = (products: number) => {
    const own = Array.from({ length: products }, (_, i) => [i + 2, ({ id }: PricedProductRow) => id === i + 1] as const)
    const quantities = new Map([[1, () => true], ...own])
    return { id: 9, tax_included: false, unit: 'product_default', quantities } as unknown as PriceList
  }
  const rpc = (async (_: unknown, __: string, [ids]: [number[]], ___: unknown, { quantity }: { quantity: number }) =>
    ids.map((id) => ({ id, sale_price_uom: { decimal: quantity === 1 ? '10' : '9' } }))) as unknown as Rpc

  it('prices a page of which not too many are there', async () => {
    const breaks = await readContractBreaks(rpc, 3, listOf(1_000), goods.slice(0, 39), createCall())
    expect(breaks.size).to.equal(39)
    for (const [id, own] of breaks)
      expect(own.map(({ min, price }) => [min.toNumber(), price])).to.deep.equal([
        [1, '10'],
        [id + 1, '9'],
      ])
  })

  it('prices none of a page with more, rather than some of them wrongly', async () => {
    const refused = await failureOf(readContractBreaks(rpc, 3, listOf(1_000), goods.slice(0, 40), createCall()))
    expect(refused).to.include({ failure: 'rejected' })
    expect(refused.message).to.equal(
      'price list 9 has 41 quantities, or 41 with each unit, for the products of one page',
    )
  })

  it('asks for each quantity in each unit, as long as that is not too often', async () => {
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

  it('prices a cart of them all, each line by its own quantities alone', async () => {
    const asked: [ids: number[], quantity: number][] = []
    const heard = (async (...params: Parameters<Rpc>) => {
      const [, , [ids], , context] = params as unknown as [0, 0, [number[]], 0, { quantity: number }]
      asked.push([ids, context.quantity])
      return rpc(...params)
    }) as unknown as Rpc
    const pieces = ({ id }: PricedProductRow) => new Decimal(id === 3 ? 3 : id * 7)
    const prices = await readContractPrices(heard, 3, listOf(3), goods, pieces, createCall())
    expect(prices.size).to.equal(50)
    // Product 3 has another price from four on, and is asked for with those that have one price whatever their quantity.
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
