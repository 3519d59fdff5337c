import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { InvoiceQuery } from '../../../src/ports/invoice.ts'
import { createChangeFeed } from '../../change-feed.ts'
import { OdooDatetime, OdooId, parseRecordId, toEpochMs, toFirstOdooSecond } from '../client/odoo-values.ts'
import { MAX_RECORDS, readAll } from '../client/read-all.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { issuedInvoicesDomain, ownInvoicesDomain } from './invoice-domains.ts'
import { type InvoiceSources, toInvoice, toInvoiceChange } from './invoice-mapping.ts'
import { InvoiceRows, invoiceSpecification } from './invoice-schemas.ts'

const Stamps = foundShape(Type.Object({ id: OdooId, write_date: OdooDatetime }))
type InvoicePorts = Required<Pick<AccountingPort, 'invoice' | 'invoices' | 'invoiceChanges'>>

const UNPAID = ['not_paid', 'blocked']

/** Reads invoices and credit notes that were posted, also those that were cancelled since. */
export function createInvoiceReader(context: OdooContext): InvoicePorts {
  const { rpc, facts, formatAmount, digits } = context
  const issuedDomain = issuedInvoicesDomain(context)

  async function search(domain: unknown[], page: { limit?: number; offset?: number }, call: Call) {
    const [found, { taxes }, { countryCode }] = await Promise.all([
      rpc.search(
        InvoiceRows,
        'account.move',
        {
          domain: [...issuedDomain, ...domain],
          specification: invoiceSpecification,
          order: 'invoice_date desc, id desc',
          ...page,
        },
        call,
      ),
      context.readTaxTables(call),
      context.readCompany(call),
    ])
    const sources: InvoiceSources = { facts, formatAmount, digits, countryCode, taxes }
    return { ...found, sources }
  }

  return {
    async invoice(customerId, invoiceId, call) {
      const [customer, id] = [parseRecordId(customerId), parseRecordId(invoiceId)]
      if (customer === null || id === null) return null
      const { records, sources } = await search([['id', '=', id], ...ownInvoicesDomain(customer)], { limit: 1 }, call)
      return records[0] ? toInvoice(records[0], sources, customer) : null
    },
    async invoices(customerId, query, call) {
      const customer = parseRecordId(customerId)
      const filters = toFilters(query)
      if (customer === null || filters === null) return { invoices: [], total: 0, has_more: false }
      const { limit, offset } = query
      const domain = [...ownInvoicesDomain(customer), ...filters]
      const { records, length, sources } = await search(domain, { limit, offset }, call)
      return {
        invoices: records.map((row) => toInvoice(row, sources, customer)),
        total: length,
        has_more: offset + records.length < length,
      }
    },
    invoiceChanges: createChangeFeed(
      context.nowMs,
      {
        async readStamps(since, call) {
          const domain = [...issuedDomain, ['write_date', '>=', toFirstOdooSecond(since)]]
          const stamps = { domain, specification: { write_date: {} } }
          const records = await readAll(rpc, Stamps, 'account.move', stamps, call)
          return records.map(({ id, write_date }) => ({ id, at: toEpochMs(write_date) }))
        },
        async loadRows(stamps, call) {
          const { records, sources } = await search([['id', 'in', stamps.map(({ id }) => id)]], {}, call)
          const byId = new Map(records.map((row) => [row.id, row]))
          return stamps.flatMap(({ id }) => {
            const row = byId.get(id)
            return row ? [toInvoiceChange(row, sources)] : []
          })
        },
      },
      MAX_RECORDS,
    ),
  }
}

/** Returns the conditions of a query, or `null` when nothing can match. */
function toFilters({ status, order_id, today }: InvoiceQuery): unknown[] | null {
  const order = order_id === undefined ? undefined : parseRecordId(order_id)
  if (order === null) return null
  const ofOrder = order === undefined ? [] : [['invoice_line_ids.sale_line_ids.order_id', '=', order]]
  return [...ofOrder, ...toStatusDomain(status, today)]
}

function toStatusDomain(status: InvoiceQuery['status'], today: string): unknown[] {
  if (status === undefined) return []
  if (status === 'VOID') return [['state', '=', 'cancel']]
  const posted = ['state', '=', 'posted']
  const due = ['invoice_date_due', status === 'OVERDUE' ? '<' : '>=', today]
  if (status === 'OVERDUE') return [posted, ['payment_state', 'in', [...UNPAID, 'partial']], due]
  if (status === 'OPEN') return [posted, ['payment_state', 'in', UNPAID], due]
  if (status === 'PARTIALLY_PAID') return [posted, ['payment_state', '=', 'partial'], due]
  return [posted, ['payment_state', 'not in', [...UNPAID, 'partial']]]
}
