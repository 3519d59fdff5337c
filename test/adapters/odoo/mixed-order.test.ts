import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { Decimal } from 'decimal.js'
import { createAmountFormatter } from '../../../adapters/decimal-format.ts'
import type { OdooContext } from '../../../adapters/odoo/context.ts'
import { buildSaleLoadRows } from '../../../adapters/odoo/orders/build-sale-load-rows.ts'
import { toOrder } from '../../../adapters/odoo/orders/order-mapping.ts'
import type { SaleRow } from '../../../adapters/odoo/orders/sale-schemas.ts'
import type { TaxRow } from '../../../adapters/odoo/pricing/combined-tax.ts'
import type { Pricing } from '../../../adapters/odoo/pricing/price-reader.ts'
import type { OrderDraft } from '../../../src/ports/order.ts'
import { createCall } from '../../support/create-call.ts'
import type { RecordedExchange } from '../../support/recorded-upstream.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { GARAGE, recordedFacts } from './calls-to-record.ts'

const exchanges: RecordedExchange[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/odoo/placed.json', import.meta.url), 'utf8'),
)
const [recorded] = exchanges.flatMap(({ answer }) => {
  const { records = [] } = (answer ?? {}) as { records?: SaleRow[] }
  return records.filter((record) => 'picking_ids' in record)
})
const tax = (id: number, amount: string, isIncluded: boolean): [number, TaxRow] => [
  id,
  {
    ...{
      id,
      name: `T${id}`,
      label: `Tax ${id}`,
      kind: 'percent',
      amount: new Decimal(amount),
      order: id,
      childIds: [],
    },
    ...{ isIncluded, affectsLater: false, isAffected: true },
  },
]
const taxes = new Map([tax(1, '15', false), tax(2, '5.5', true)])

/** An order of 2300.00 with 15 % on top and 5.5 % in the price. Odoo has the price with tax, and the draft the one without. */
const draft: OrderDraft = {
  ...createOrderDraft({
    reference: 'ord_1',
    customerId: GARAGE,
    goods: { sku: 'PAD-001', uom: 'Units', unitPrice: '2180.09' },
    quantity: '1',
  }),
  shipping_address: null,
  billing_address: null,
}
draft.lines = [{ ...draft.lines[0]!, tax: { code: 'T1+T2', rate: '0.205', amount: '446.92' }, line_total: '2627.01' }]
draft.totals = { ...draft.totals, subtotal: '2180.09', tax_total: '446.92', total: '2627.01', tax_included: false }

function read(change: Partial<SaleRow['order_line'][number]> = {}, placed = draft, rest: number[] = []) {
  const [line] = recorded!.order_line.filter(({ display_type }) => !display_type)
  const own = {
    ...line!,
    ...{ tax_ids: [1, 2], product_uom_qty: 1, price_unit: 2300, discount: 0 },
    ...{ price_subtotal: 2180.09, price_tax: 446.92, price_total: 2627.01 },
    ...change,
  }
  const row = {
    ...recorded!,
    order_line: [own, ...rest.map((price_total) => ({ ...own, price_total }))],
    amount_total: rest.reduce((sum, price_total) => sum + price_total, own.price_total),
    ...{ amount_tax: own.price_tax, partner_id: Number(GARAGE) },
  }
  return toOrder(
    row,
    { decision: { reference: 'ord_1', draft: placed, refusal: null, log: null }, cancellation: null },
    {
      facts: recordedFacts,
      formatAmount: createAmountFormatter('JMD'),
      digits: 2,
      countryCode: 'JM',
      taxes,
      units: new Map(),
    },
  )
}

describe('odoo: an order with included and excluded taxes together', () => {
  it('is written to Odoo with the price that Odoo has', async () => {
    const context = {
      settings: {},
      readWarehouses: async () => ({ context: { warehouse_id: 1 } }),
    } as unknown as OdooContext
    const sources = {
      products: [{ sku: 'PAD-001', productId: 7, unitId: 1 }],
      ...{ positionId: null, priceListId: null, percents: new Map(), delivery: null },
      unitPrices: new Map([['0', '2300.00']]),
    } as unknown as Pricing & { percents: Map<string, string>; unitPrices: Map<string, string>; delivery: null }
    const { fields, data } = await buildSaleLoadRows(context, draft, sources, createCall())
    expect(data[0]![fields.indexOf('order_line/price_unit')]).to.equal('2300.00')
  })

  it('is shown as it was placed', () => {
    expect(read()).to.deep.include({ lines: draft.lines, totals: draft.totals })
  })

  it('is shown as it was placed, if the cents of both lines are in the tax of one', () => {
    const placed = {
      ...draft,
      lines: [draft.lines[0]!, draft.lines[0]!],
      totals: { ...draft.totals, subtotal: '4360.18', tax_total: '893.84', total: '5254.02' },
    }
    const { lines, totals } = read({ price_total: 2627.03 }, placed, [2626.99])
    expect({ lines, totals }).to.deep.equal({ lines: placed.lines, totals: placed.totals })
  })

  it('is shown without tax after staff changed it', () => {
    const order = read({ product_uom_qty: 2, price_subtotal: 4360.19, price_tax: 893.84, price_total: 5254.03 })
    expect(order.lines[0]).to.deep.include({
      ...{ quantity: '2', discount: '0.00', line_total: '5254.03' },
      tax: { code: 'T1+T2', rate: '0.205', amount: '893.84' },
    })
    expect(order.totals).to.deep.equal({
      ...{ subtotal: '4360.19', discount_total: '0.00', tax_total: '893.84', shipping_total: '0.00', total: '5254.03' },
      tax_included: false,
      taxes: [{ code: 'T1+T2', name: 'Tax 1, Tax 2', rate: '0.205', base: '4360.19', amount: '893.84' }],
    })
  })

  it('is shown as it was placed, if a discount is a lower price in Odoo', () => {
    const line = { ...draft.lines[0]!, quantity: '3', unit_price: '100.00', discount: '10.00' }
    const lines = [{ ...line, tax: { code: 'T1', rate: '0.15', amount: '43.50' }, line_total: '333.50' }]
    const totals = { ...draft.totals, subtotal: '300.00', discount_total: '10.00', tax_total: '43.50', total: '333.50' }
    const own = { tax_ids: [1], product_uom_qty: 3, price_subtotal: 290, price_tax: 43.5, price_total: 333.5 }
    const shown = (change: object) => read({ ...own, ...change }, { ...draft, lines, totals })
    expect(shown({ price_unit: 96.667 })).to.deep.include({ lines, totals })
    // Staff took the discount away, and a unit.
    const other = { price_unit: 100, product_uom_qty: 2.9, price_total: 333.5 }
    expect(shown(other).lines[0]).to.include({ quantity: '2.9', unit_price: '100.00', discount: '0.00' })
  })
})
