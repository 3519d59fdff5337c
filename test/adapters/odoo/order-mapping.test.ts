import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { toOrder } from '../../../adapters/odoo/orders/order-mapping.ts'
import type { SaleRow } from '../../../adapters/odoo/orders/sale-schemas.ts'
import type { RecordedExchange } from '../../support/recorded-upstream.ts'
import { createOrderDraft } from '../conformance/order-draft.ts'
import { GARAGE, recordedFacts } from './calls-to-record.ts'

const exchanges: RecordedExchange[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/odoo/placed.json', import.meta.url), 'utf8'),
)
const [row] = exchanges.flatMap(({ answer }) => {
  const { records = [] } = (answer ?? {}) as { records?: SaleRow[] }
  return records.filter((record) => 'picking_ids' in record)
})
const goods = { sku: 'PAD-001', uom: 'Units', unitPrice: '5700.00' }
const draft = {
  ...createOrderDraft({ reference: 'ord_1', customerId: GARAGE, goods }),
  notes: 'The gate code is 4711.',
}

const read = (partner_id: number) =>
  toOrder(
    { ...row!, partner_id, partner_shipping_id: false, partner_invoice_id: false },
    { decision: { reference: 'ord_1', draft, refusal: null, log: null }, cancellation: null },
    {
      facts: recordedFacts,
      formatAmount: (value) => Number(value).toFixed(2),
      digits: 2,
      countryCode: 'JM',
      taxes: new Map(),
      units: new Map(),
    },
  )

describe('odoo: an order', () => {
  it('has what its customer wrote', () => {
    expect(read(Number(GARAGE))).to.include({ customer_id: GARAGE, reference: 'ord_1', notes: draft.notes })
  })

  it('has nothing of that after staff gave it to another customer', () => {
    const nothing = { notes: null, contact: null, shipping_address: null, billing_address: null }
    expect(read(99)).to.include({ customer_id: '99', reference: 'ord_1', ...nothing })
  })
})
