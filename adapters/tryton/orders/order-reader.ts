import { Type } from 'typebox'
import type { AccountingPort, OrderKey } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Order, OrderStatus } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { type AccountingContext, parseRecordId } from '../accounting-context.ts'
import { toTrytonDatetime } from '../client/tryton-values.ts'
import { dateInTimeZone } from '../time-zone.ts'
import { toOrder } from './order-mapping.ts'
import {
  type OrderRecords,
  readOrderRecords,
  readSales,
  readStockMoves,
  type SaleRow,
  storefrontSalesDomain,
} from './order-records.ts'
import { toOrderStatus } from './order-status.ts'
import { parseCancellation, parseRefusal } from './sale-description.ts'

const Count = responseSchema(Type.Integer())
const NEWEST = [
  ['create_date', 'DESC'],
  ['id', 'DESC'],
]
/** More orders of one customer than these are not looked through for a status. */
const MAX_FILTERED = 1_000

export interface OrderReader extends Required<Pick<AccountingPort, 'order' | 'orders' | 'payment'>> {
  /** A customer's order as Tryton has it, refused ones and drafts too. */
  saleOf(customerId: string, key: OrderKey, call: Call): Promise<OrderRecords | null>
  viewed(records: readonly OrderRecords[], call: Call): Promise<Order[]>
}

export function createOrderReader(ledger: AccountingContext): OrderReader {
  const { rpc, abilities, facts, amount } = ledger
  const ready = (call: Call) => abilities.need(call, 'orders', 'webOrders')

  async function viewed(records: readonly OrderRecords[], call: Call): Promise<Order[]> {
    const taxes = await ledger.taxes.table(call)
    const today = dateInTimeZone(facts.timeZone, facts.now())
    return records.map((one) => toOrder(one, { ...ledger, taxes, today }))
  }

  async function saleOf(customerId: string, key: OrderKey, call: Call): Promise<OrderRecords | null> {
    await ready(call)
    const party = parseRecordId(customerId)
    const own = 'reference' in key ? ['web_id', '=', key.reference] : ['id', '=', parseRecordId(key.order_id)]
    if (party === null || own[2] === null) return null
    const [sale] = await readSales(ledger, [...storefrontSalesDomain(ledger), ['party', '=', party], own], call, {
      limit: 1,
    })
    const [records] = sale ? await readOrderRecords(ledger, [sale], call) : []
    return records ?? null
  }

  async function order(customerId: string, key: OrderKey, call: Call): Promise<Order | null> {
    const records = await saleOf(customerId, key, call)
    if (!records || isUnplacedSale(records.sale)) return null
    return (await viewed([records], call))[0]!
  }

  async function page(domain: unknown[], offset: number, limit: number, call: Call): Promise<Order[]> {
    const sales = await readSales(ledger, domain, call, { offset, limit, order: NEWEST })
    return viewed(await readOrderRecords(ledger, sales, call), call)
  }

  return {
    saleOf,
    viewed,
    order,
    async orders(customerId, { limit, offset, status, placed_since }, call) {
      await ready(call)
      const party = parseRecordId(customerId)
      if (party === null) return { orders: [], total: 0, has_more: false }
      const since = placed_since ? [['create_date', '>=', toTrytonDatetime(Date.parse(placed_since))]] : []
      const domain = [...storefrontSalesDomain(ledger), ['party', '=', party], placedSalesDomain, ...since]
      if (status === undefined) {
        const [orders, total] = await Promise.all([
          page(domain, offset, limit, call),
          rpc(Count, 'sale.sale.search_count', [domain], call),
        ])
        return { orders, total, has_more: offset + orders.length < total }
      }
      // Whether goods left, Tryton's own states do not tell.
      const under = [...domain, ['state', 'in', statesOf[status]]]
      const sales = await readSales(ledger, under, call, { limit: MAX_FILTERED, order: NEWEST })
      const moves = Map.groupBy(
        await readStockMoves(
          ledger,
          sales.map(({ id }) => id),
          call,
        ),
        ({ sale }) => sale,
      )
      const found = sales.filter((sale) => toOrderStatus({ sale, moves: moves.get(sale.id) ?? [] }) === status)
      const shown = found.slice(offset, offset + limit)
      return {
        orders: await viewed(await readOrderRecords(ledger, shown, call), call),
        total: sales.length < MAX_FILTERED ? found.length : null,
        has_more: offset + limit < found.length,
      }
    },
    /** Credit terms and cash on delivery: no session of payment is ever open. */
    async payment(customerId, key, call) {
      const found = await order(customerId, key, call)
      if (!found) return null
      const none = amount('0')
      return {
        ...{ session_id: null, status: 'NOT_REQUIRED', amount_due: none, amount_paid: none },
        ...{ redirect_url: null, expires_at: null, updated_at: found.updated_at },
      }
    },
  }
}

/** A refused one never was an order, and a draft is not yet one: its checkout is still under way, unless it is being taken back. */
export const isUnplacedSale = (sale: SaleRow) =>
  ((sale.state === 'draft' || sale.state === 'quotation') && parseCancellation(sale.description) === null) ||
  (sale.state === 'cancelled' && parseRefusal(sale.description) !== null)

/** The same as a domain; `ilike` would take the description of a cancelled order for a word of somebody's. */
export const placedSalesDomain = [
  'OR',
  [['state', 'in', ['confirmed', 'processing', 'done']]],
  [
    ['state', '=', 'cancelled'],
    ['OR', [['description', '=', null]], [['description', 'not like', 'ECOMMERCE refused %']]],
  ],
]

const under = ['confirmed', 'processing', 'done']
const statesOf: Record<OrderStatus, string[]> = {
  ...{ PENDING: [], REJECTED: [], CONFIRMED: under, PARTIALLY_SHIPPED: under, SHIPPED: under, DELIVERED: ['done'] },
  CANCELLED: ['cancelled', 'done', 'processing', 'confirmed'],
}
