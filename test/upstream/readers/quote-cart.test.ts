import { expect } from 'chai'
import type { QuotedLine, QuoteRequest } from '../../../src/ports/pricing.ts'
import { type CartPricingPort, quoteCart } from '../../../src/upstream/readers/quote-cart.ts'
import { createCall } from '../../support/create-call.ts'

const request: QuoteRequest = { customerId: 'C', lines: [{ line_id: 'l', sku: 'A', quantity: '2' }], codes: ['TEN'] }
const line: QuotedLine = {
  ...{ line_id: 'l', sku: 'A', unit_price: '10.00', list_unit_price: '10.00', price_type: 'LIST' },
  ...{ tax_included: false, discount: '0.00' },
}
const ten = { code: 'TEN', status: 'APPLIED', reason: null, description: null, discount: '2.00' } as const

describe('a quote of a cart', () => {
  const asked: (readonly string[])[] = []
  const port = {
    async quote({ codes }: QuoteRequest) {
      asked.push(codes)
      return { lines: [line], promotions: codes.length > 0 ? [ten] : [], as_of: '2026-01-01T00:00:00Z' }
    },
  } as unknown as CartPricingPort

  beforeEach(() => {
    asked.length = 0
  })

  it('has its promotions from the same call', async () => {
    const { promotions } = await quoteCart(port, request, createCall())
    expect([asked, promotions]).to.deep.equal([[['TEN']], [ten]])
  })

  it('has its promotions from the call after it, for a system that applies them then', async () => {
    const promoting: CartPricingPort = {
      ...port,
      async promotions({ codes }, lines) {
        asked.push(codes)
        return { lines: lines.map((one) => ({ ...one, discount: '2.00' })), promotions: [ten] }
      },
    }
    const quote = await quoteCart(promoting, request, createCall())
    expect(asked).to.deep.equal([[], ['TEN']])
    expect(quote).to.deep.equal({
      lines: [{ ...line, discount: '2.00' }],
      promotions: [ten],
      as_of: '2026-01-01T00:00:00Z',
    })
  })
})
