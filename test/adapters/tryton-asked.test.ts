import { expect } from 'chai'
import type { Abilities } from '../../adapters/tryton/abilities.ts'
import { readDrafts } from '../../adapters/tryton/kept-draft.ts'
import type { Ledger } from '../../adapters/tryton/ledger.ts'
import { priceReader } from '../../adapters/tryton/price-reader.ts'
import type { Rpc } from '../../adapters/tryton/rpc.ts'
import { isOverused } from '../../adapters/tryton/sale-coupons.ts'
import { merchant } from '../support/tryton-subject.ts'
import { draftOf } from './conforming-draft.ts'
import { call } from './subject.ts'

const draft = draftOf({ reference: 'ord_1', customerId: '3', goods: { sku: 'PAD-001', uom: 'u', unitPrice: '100.00' } })
const abilities = { has: async () => true, need: async () => {} } as Abilities

/** Answers by method; what is not named answers nothing. */
function answering(answers: Record<string, unknown>) {
  const asked: [method: string, params: unknown[]][] = []
  const rpc = (async (answer: { parse(value: unknown): unknown }, method: string, params: unknown[]) => {
    asked.push([method, params])
    return answer.parse(answers[method] ?? [])
  }) as Rpc
  return { rpc, asked }
}

describe('tryton: the draft that is kept beside a sale', () => {
  const kept = async (description: string) => {
    const { rpc } = answering({ 'ir.attachment.search_read': [{ id: 1, resource: 'sale.sale,7', description }] })
    return (await readDrafts(rpc, [7], call()))({ id: 7, web_id: 'ord_1' })
  }

  it('is read again whole', async () => {
    expect(await kept(JSON.stringify(draft))).to.deep.equal(draft)
  })

  it('is none when somebody wrote something else there', async () => {
    const { lines: _, ...rest } = draft
    const wrong = [rest, { ...draft, lines: [{ sku: 'PAD-001' }] }, { ...draft, totals: { total: 'much' } }, null, []]
    for (const text of [...wrong.map((one) => JSON.stringify(one)), 'Hello', ''])
      expect(await kept(text), text).to.equal(null)
    expect(await kept(JSON.stringify({ ...draft, reference: 'ord_2' }))).to.equal(null)
  })
})

describe('tryton: the price list of a customer', () => {
  const listOf = async (party: object, list: object = {}, more: Record<string, unknown> = {}) => {
    const { rpc } = answering({
      'party.party.search_read': [{ id: 3, ...party }],
      'sale.configuration.read': [{ sale_price_list: 9 }],
      'product.price_list.read': [{ id: 9, tax_included: false, unit: 'product_default', ...list }],
      ...more,
    })
    return priceReader(rpc, abilities, merchant).listOf(3, call())
  }

  it("is the shop's own for those who have none", async () => {
    expect((await listOf({ sale_price_list: null }))?.id).to.equal(9)
  })

  it('holds the taxes that this customer pays, where its prices hold taxes', async () => {
    const exempt = { origin_tax: 1, group: null, tax: null, keep_origin: false, start_date: null, end_date: null }
    const tax = {
      id: 1,
      name: 'GCT',
      description: '',
      type: 'percentage',
      rate: { decimal: '0.15' },
      update_unit_price: null,
    }
    const more = {
      'account.tax.rule.line.search_read': [exempt],
      'account.tax.search_read': [{ ...tax, group: null, childs: [], start_date: null, end_date: null }],
    }
    const party = { sale_price_list: 9, customer_tax_rule: 4 }
    expect((await listOf(party, { tax_included: true }, more))!.taxesOf([1])).to.deep.equal([])
    expect(
      (await listOf({ ...party, customer_tax_rule: null }, { tax_included: true }, more))!.taxesOf([1]),
    ).to.deep.equal([1])
  })
})

describe('tryton: the coupons of an order', () => {
  const used = (uses: number, coupon: object) => {
    const { rpc, asked } = answering({
      'sale.promotion.coupon.number.search_read': [
        {
          id: 5,
          number: 'ONCE',
          active: false,
          'coupon.': { id: 2, promotion: 1, number_of_use: 1, per_party: false, ...coupon },
        },
      ],
      'sale.sale.search_count': uses,
    })
    const ledger = { rpc, abilities, settings: {} } as unknown as Ledger
    const promotions = [{ code: 'ONCE', description: null, discount: '1.00' }]
    return { over: isOverused(ledger, { ...draft, promotions }, call()), asked }
  }

  it('are used too often when more sales have them than may', async () => {
    expect(await used(1, {}).over).to.equal(false)
    expect(await used(2, {}).over).to.equal(true)
    expect(await used(2, { number_of_use: 0 }).over).to.equal(false)
  })

  it('are counted for one customer where each has their own', async () => {
    const { over, asked } = used(1, { per_party: true })
    expect(await over).to.equal(false)
    expect(asked.at(-1)).to.deep.equal([
      'sale.sale.search_count',
      [
        [
          ['coupons', '=', 5],
          ['party', '=', 3],
        ],
      ],
    ])
  })
})
