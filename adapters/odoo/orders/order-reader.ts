import type { AccountingPort, OrderKey } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Order, OrderQuery, OrderStatus } from '../../../src/ports/order.ts'
import { parseRecordId, toOdooDatetime } from '../client/odoo-values.ts'
import type { OdooContext } from '../context.ts'
import { toOrder } from './order-mapping.ts'
import { type OrderNotes, readNotes } from './order-notes.ts'
import { ORIGIN, REFUSED_ORIGIN, type SaleRow, SaleRows, saleSpecification } from './sale-rows.ts'

export interface OrderReader extends Required<Pick<AccountingPort, 'order' | 'orders' | 'payment'>> {
  /** Reads the order of a reference, of whichever customer, including refused ones and drafts. */
  findByReference(reference: string, call: Call): Promise<SaleRow | undefined>
  /** Reads an order of a customer; `null` for a refused one and for a draft. */
  findPlaced(customerId: string, key: OrderKey, call: Call): Promise<SaleRow | null>
  readById(orderId: number, call: Call): Promise<SaleRow | undefined>
  readByIds(orderIds: readonly number[], call: Call): Promise<SaleRow[]>
  toOrders(rows: readonly SaleRow[], call: Call, notes?: Map<number, OrderNotes>): Promise<Order[]>
}

/** The orders of the shop that were confirmed at some time. */
export const placedDomain: unknown[] = [
  ['origin', '=like', `${ORIGIN}%`],
  ['state', 'in', ['sale', 'cancel']],
]

const statusDomains: Partial<Record<OrderStatus, unknown[]>> = {
  CONFIRMED: [
    ['state', '=', 'sale'],
    ['delivery_status', 'in', [false, 'pending']],
  ],
  PARTIALLY_SHIPPED: [
    ['state', '=', 'sale'],
    ['delivery_status', 'in', ['started', 'partial']],
  ],
  SHIPPED: [
    ['state', '=', 'sale'],
    ['delivery_status', '=', 'full'],
  ],
  CANCELLED: [['state', '=', 'cancel']],
}

export function createOrderReader(context: OdooContext): OrderReader {
  const { rpc, facts, formatAmount, digits, settings } = context
  const companyDomain = ['company_id', '=', settings.company ?? 1]

  async function search(domain: unknown[], page: { limit?: number; offset?: number }, call: Call) {
    const specification = saleSpecification(await context.readOptionalFields('stock.picking', call))
    return rpc.search(
      SaleRows,
      'sale.order',
      { domain: [...domain, companyDomain], specification, order: 'date_order desc, id desc', ...page },
      call,
    )
  }

  async function toOrders(rows: readonly SaleRow[], call: Call, known?: Map<number, OrderNotes>): Promise<Order[]> {
    if (rows.length === 0) return []
    const [notes, { countryCode }, { taxes }, { units }] = await Promise.all([
      known ??
        readNotes(
          rpc,
          rows.map(({ id }) => id),
          call,
        ),
      context.readCompany(call),
      context.readTaxTables(call),
      context.readCatalogTables(call),
    ])
    const sources = { facts, formatAmount, digits, countryCode, taxes, units }
    return rows.map((row) => toOrder(row, notes.get(row.id) ?? { decision: null, cancellation: null }, sources))
  }

  const readOne = async (domain: unknown[], call: Call) => (await search(domain, { limit: 1 }, call)).records[0]

  async function findPlaced(customerId: string, key: OrderKey, call: Call): Promise<SaleRow | null> {
    const customer = parseRecordId(customerId)
    const id = 'order_id' in key ? parseRecordId(key.order_id) : null
    if (customer === null || ('order_id' in key && id === null)) return null
    const own = 'order_id' in key ? ['id', '=', id] : ['origin', '=', ORIGIN + key.reference]
    return (await readOne([['partner_id', '=', customer], own, ...placedDomain], call)) ?? null
  }

  async function order(customerId: string, key: OrderKey, call: Call): Promise<Order | null> {
    const row = await findPlaced(customerId, key, call)
    return row && (await toOrders([row], call))[0]!
  }

  return {
    findPlaced,
    toOrders,
    order,
    findByReference: (reference, call) =>
      readOne([['origin', 'in', [ORIGIN + reference, REFUSED_ORIGIN + reference]]], call),
    readById: (orderId, call) => readOne([['id', '=', orderId]], call),
    readByIds: async (orderIds, call) => (await search([['id', 'in', orderIds]], {}, call)).records,
    async orders(customerId, { limit, offset, status, placed_since }: OrderQuery, call) {
      const customer = parseRecordId(customerId)
      const ofStatus = status === undefined ? [] : statusDomains[status]
      if (customer === null || ofStatus === undefined) return { orders: [], total: 0, has_more: false }
      const since = placed_since === undefined ? [] : [['date_order', '>=', toOdooDatetime(Date.parse(placed_since))]]
      const domain = [['partner_id', '=', customer], ...placedDomain, ...ofStatus, ...since]
      const { length, records } = await search(domain, { limit, offset }, call)
      return { orders: await toOrders(records, call), total: length, has_more: offset + records.length < length }
    },
    /** Credit terms and cash on delivery never open a payment session. */
    async payment(customerId, key, call) {
      const row = await order(customerId, key, call)
      if (!row) return null
      const zero = formatAmount('0')
      return {
        session_id: null,
        status: 'NOT_REQUIRED',
        amount_due: zero,
        amount_paid: zero,
        redirect_url: null,
        expires_at: null,
        updated_at: row.updated_at,
      }
    },
  }
}
