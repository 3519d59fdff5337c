import { expect } from 'chai'
import type { TrytonContext } from '../../../adapters/tryton/context.ts'
import { createDeliveryQuotes } from '../../../adapters/tryton/delivery-options/delivery-quotes.ts'
import type { DeliveryOptionsQuery } from '../../../src/ports/delivery.ts'
import { createCall } from '../../support/create-call.ts'
import { answering } from './fake-rpc.ts'

const carrier = (id: number, template: object = {}, values: object = {}) => ({
  id,
  carrier_cost_method: 'product',
  'party.': { name: `Carrier ${id}` },
  ...values,
  'carrier_product.': {
    id: 100 + id,
    list_price: null,
    'template.': {
      name: `Service ${id}`,
      salable: true,
      list_price: { decimal: '50.0050' },
      default_uom: 1,
      categories_all: [9],
      'account_category.': { customer_taxes_used: [1] },
      ...template,
    },
  },
})
const address = { line1: 'a', line2: null, city: 'b', region: null, postal_code: null, country: 'JM' }
const query: DeliveryOptionsQuery = {
  customerId: '3',
  lines: [{ sku: 'PAD-001', quantity: '2' }],
  goods_total: '11500.00',
  tax_included: false,
  shipping_address: address,
}

describe('tryton: the deliveries of an order', () => {
  const answers = {
    'carrier.search_read': [carrier(1), carrier(2), carrier(3)],
    'sale.sale.default_get': { shipment_cost_method: 'order', warehouse: 4 },
    'sale.sale.on_change': {},
    'sale.sale.on_change_with': { available_carriers: [3, 1] },
    'product.product.search_count': 1,
    'party.address.search_read': [],
    'country.country.search': [5],
  }

  function quoting(
    changed: object = {},
    { has = true, priced = true, prices = (price: string): string | null => price } = {},
  ) {
    const { rpc, asked } = answering({ ...answers, ...changed })
    const quoted: unknown[] = []
    const context = {
      rpc,
      settings: {},
      facts: { now: () => new Date(0) },
      capabilities: { has: async () => has },
      formatAmount: (value: string) => Number(value).toFixed(2),
      quoteWithDelivery: async (request: unknown, products: unknown) => {
        quoted.push(request, products)
        const line = { line_id: '0', sku: 'PAD-001', unit_price: '5000.00' }
        return {
          quote: { lines: priced ? [line] : [] },
          priceDelivery: ({ price }: { price: string }) => prices(price),
        }
      },
      taxes: {
        readTaxMapping: async () => (ids: number[]) =>
          ids.includes(2) ? null : { taxIds: ids, code: 'GCT', name: 'GCT', rate: '0.15' },
      },
    } as unknown as TrytonContext
    const quote = createDeliveryQuotes(context)
    return { asked, quoted, quote: (change: object = {}) => quote({ ...query, ...change }, createCall()) }
  }
  const idsOf = async (of: ReturnType<typeof quoting>, change: object = {}) =>
    (await of.quote(change)).map(({ carrierId }) => carrierId)

  it('are the carriers that Tryton has for the address, in its order, at prices rounded as Tryton rounds', async () => {
    const { quote, asked, quoted } = quoting()
    const [first, second] = await quote({ codes: ['TRADE3'] })
    expect(first).to.deep.equal({
      option: {
        delivery_option_id: '3',
        name: 'Service 3',
        description: 'Carrier 3',
        fulfillment_method: 'DELIVERY',
        price: '50.00',
        tax: { code: 'GCT', name: 'GCT', rate: '0.15' },
        pickup_places: [],
      },
      carrierId: 3,
      costMethod: 'order',
    })
    expect(second!.carrierId).to.equal(1)
    const [values] = asked.find(([method]) => method === 'sale.sale.on_change_with')![1]
    expect(values).to.deep.include({ party: 3, warehouse: 4, shipment_address: { country: 5, subdivision: null } })
    expect(quoted[0]).to.deep.include({ codes: ['TRADE3'] })
  })

  it('are read from both forms in which Tryton lists added records', async () => {
    const available_carriers = {
      add: [
        [0, { id: 2 }],
        [1, { id: 3 }],
      ],
    }
    expect(await idsOf(quoting({ 'sale.sale.on_change_with': { available_carriers } }))).to.deep.equal([2, 3])
    expect(await idsOf(quoting({ 'sale.sale.on_change_with': {} }))).to.deep.equal([])
  })

  it("go to the customer's own address when none is known", async () => {
    const { asked, quote } = quoting({ 'sale.sale.on_change': [{ shipment_address: 77 }] })
    await quote({ shipping_address: null })
    const [values] = asked.find(([method]) => method === 'sale.sale.on_change_with')![1]
    expect(values).to.deep.include({ shipment_address: 77 })
  })

  it('have the prices after promotions, and are left out when those cannot be computed', async () => {
    const [half] = await quoting({}, { prices: (price) => String(Number(price) / 2) }).quote()
    expect(half!.option.price).to.equal('25.00')
    expect(await idsOf(quoting({}, { prices: () => null }))).to.deep.equal([])
  })

  it('cost nothing for a customer whom Tryton does not charge', async () => {
    const method = { shipment_cost_method: null }
    for (const changed of [{ 'sale.sale.on_change': method }, { 'sale.sale.default_get': method }]) {
      const [free] = await quoting(changed).quote()
      expect([free!.option.price, free!.costMethod]).to.deep.equal(['0.00', null])
    }
  })

  it('leave out carriers that are not for sale, without a price or with taxes that do not add up', async () => {
    const carriers = [
      carrier(1, { salable: false }),
      carrier(2, { list_price: null }),
      carrier(3, { 'account_category.': null }),
      carrier(4, { 'account_category.': { customer_taxes_used: [2] } }),
      carrier(5, {}, { carrier_cost_method: 'weight' }),
      carrier(6),
    ]
    const available = { available_carriers: [1, 2, 3, 4, 5, 6] }
    const changed = { 'carrier.search_read': carriers, 'sale.sale.on_change_with': available }
    expect(await idsOf(quoting(changed))).to.deep.equal([6])
  })

  it('are none without the module, without goods, or without the price of a line', async () => {
    expect(await idsOf(quoting({}, { has: false }))).to.deep.equal([])
    expect(await idsOf(quoting({ 'product.product.search_count': 0 }))).to.deep.equal([])
    expect(await idsOf(quoting({}, { priced: false }))).to.deep.equal([])
    expect(await idsOf(quoting(), { lines: [] })).to.deep.equal([])
  })
})
