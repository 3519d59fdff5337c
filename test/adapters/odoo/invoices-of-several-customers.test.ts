import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createAmountFormatter } from '../../../adapters/decimal-format.ts'
import { type InvoiceSources, toInvoice, toInvoiceChange } from '../../../adapters/odoo/invoices/invoice-mapping.ts'
import type { InvoiceRow } from '../../../adapters/odoo/invoices/invoice-schemas.ts'
import type { RecordedExchange } from '../../support/recorded-upstream.ts'
import { GARAGE, recordedFacts } from './calls-to-record.ts'

const file = new URL('../../../fixtures/odoo/past.json', import.meta.url)
const exchanges = JSON.parse(readFileSync(file, 'utf8')) as RecordedExchange[]
const isRead = ({ asked }: RecordedExchange) => (asked as { method: string }).method === 'account.move/web_search_read'
const own = (exchanges.find(isRead)!.answer as { records: InvoiceRow[] }).records[0]!
const formatAmount = createAmountFormatter('JMD')
const sources: InvoiceSources = { facts: recordedFacts, formatAmount, digits: 2, countryCode: 'JM', taxes: new Map() }

/** The recorded invoice, with a line of an order of somebody else before its own. */
const [line] = own.invoice_line_ids
const other = { id: 1, order_id: { id: 77, name: 'S00077', origin: false as const, partner_id: 99 } }
const shared = { ...own, commercial_partner_id: 50, invoice_line_ids: [{ ...line!, sale_line_ids: [other] }, line!] }

describe('odoo: invoices of several customers', () => {
  it('names only the order of the customer', () => {
    expect(toInvoice(shared, sources, Number(GARAGE)).order_reference).to.equal('ord_demo0paid')
    expect(toInvoice(shared, sources, 50)).to.include({ order_id: null, order_reference: null, order_number: null })
  })

  it('are changes of the company that owes them', () => {
    expect(toInvoiceChange(own, sources).customer_id).to.equal(GARAGE)
    expect(toInvoiceChange(shared, sources)).to.include({ customer_id: '50', order_id: null })
  })
})
