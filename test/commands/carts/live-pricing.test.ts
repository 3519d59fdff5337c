import { expect } from 'chai'
import { readLivePricing, toLivePricing } from '../../../src/commands/carts/live-pricing.ts'
import { UpstreamError } from '../../../src/errors.ts'
import type { Quote, QuotedLine } from '../../../src/ports/pricing.ts'
import type { StoredCartLine } from '../../../src/storage/commerce/carts.ts'

const GCT = { code: 'GCT', name: 'General Consumption Tax', rate: '0.15' }
const lineOf = (sku: string): StoredCartLine => ({
  line_id: `line_${sku}`,
  sku,
  name: sku,
  quantity: '1',
  uom: 'each',
  order_uom: null,
  order_quantity: null,
})
const quoted = (sku: string, tax_included = false): QuotedLine => ({
  line_id: `line_${sku}`,
  sku,
  unit_price: '115.00',
  list_unit_price: '120.00',
  price_type: 'CONTRACT',
  tax_included,
  discount: '0',
})
const quote = (...lines: QuotedLine[]): Quote => ({ lines, promotions: [], as_of: '2026-11-21T00:00:00Z' })
const taxes = (...skus: string[]) => new Map(skus.map((sku) => [sku, GCT]))
const lines = [lineOf('A'), lineOf('B')]

describe('live pricing', () => {
  it('has an order’s lines and totals, in the cart’s order', () => {
    const {
      lines: priced,
      totals,
      unpriced,
    } = toLivePricing(lines, quote(quoted('B'), quoted('A')), taxes('A', 'B'), 2)
    expect(unpriced).to.deep.equal([])
    expect(priced.map(({ sku, line_total }) => [sku, line_total])).to.deep.equal([
      ['A', '132.25'],
      ['B', '132.25'],
    ])
    expect(totals).to.deep.include({ subtotal: '230.00', tax_total: '34.50', total: '264.50', tax_included: false })
  })

  it('takes the tax of a line from the quote, if that has one', () => {
    const taxed = [quoted('A'), quoted('B')].map((line) => ({ ...line, tax: { ...GCT, rate: '0.10' } }))
    const { totals } = toLivePricing(lines, quote(...taxed), new Map(), 2)
    expect(totals).to.deep.include({ subtotal: '230.00', tax_total: '23.00', total: '253.00' })
  })

  it('asks accounting for taxes only where a quote has none', async () => {
    const asked: string[] = []
    const backOffice = (quotesTaxes: boolean) => ({
      quotesTaxes,
      quoteNow: async () => quote({ ...quoted('A'), tax: GCT }),
      taxesNow: async (skus: string[]) => {
        asked.push(...skus)
        return taxes(...skus)
      },
    })
    for (const quotesTaxes of [true, false]) {
      const context = { backOffice: backOffice(quotesTaxes), customerId: 'C', merchant: { currency: 'JMD' } }
      const commerce = { now: () => 0 }
      const cart = { lines: [lineOf('A')], promotions: [] }
      const found = await readLivePricing({ ...context, commerce } as never, cart, {} as never)
      expect(found.totals!.total).to.equal('132.25')
    }
    expect(asked).to.deep.equal(['A'])
  })

  it('takes the tax out of prices that include it', () => {
    const { totals } = toLivePricing(lines, quote(quoted('A', true), quoted('B', true)), taxes('A', 'B'), 2)
    expect(totals).to.deep.include({ subtotal: '230.00', tax_total: '30.00', total: '230.00', tax_included: true })
  })

  it('has no totals if a line lacks a price or a tax', () => {
    const noPrice = toLivePricing(lines, quote(quoted('A')), taxes('A', 'B'), 2)
    const noTax = toLivePricing(lines, quote(quoted('A'), quoted('B')), taxes('A'), 2)
    for (const { totals, unpriced, lines: priced, taxes: summed } of [noPrice, noTax]) {
      expect({ totals, unpriced, summed }).to.deep.equal({ totals: null, unpriced: ['B'], summed: [] })
      expect(priced.map(({ sku }) => sku)).to.deep.equal(['A'])
    }
  })

  it('ignores a price for another product', () => {
    const mixedUp = quote({ ...quoted('A'), line_id: 'line_B' }, quoted('A'))
    expect(toLivePricing(lines, mixedUp, taxes('A', 'B'), 2).unpriced).to.deep.equal(['B'])
  })

  it('rejects a mix of prices with and without tax', () => {
    const mixed = quote(quoted('A', true), quoted('B', false))
    expect(() => toLivePricing(lines, mixed, taxes('A', 'B'), 2)).to.throw(UpstreamError, 'with tax')
  })
})
