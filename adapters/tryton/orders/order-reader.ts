import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Order, OrderKey, OrderStatus } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { dateInTimeZone } from '../../calendar-day.ts'
import { toNotRequiredPayment } from '../../to-not-required-payment.ts'
import { parseRecordId, toTrytonDatetime } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import { toOrder } from './order-mapping.ts'
import {
  type OrderRecords,
  readOrderRecords,
  readSales,
  readStockMoves,
  type SaleRow,
  storefrontSalesDomain,
} from './order-record-reader.ts'
import { toOrderStatus } from './order-status.ts'
import { isUnplacedSale, placedSalesDomain } from './placed-sales.ts'

const Count = responseSchema(Type.Integer())
const NEWEST_FIRST = [
  ['create_date', 'DESC'],
  ['id', 'DESC'],
]
/** The maximum number of orders of one customer that are searched for a status. */
const MAX_FILTERED = 1_000

export interface OrderReader extends Required<Pick<AccountingPort, 'order' | 'orders' | 'payment'>> {
  /** Reads an order of a customer as Tryton has it, including refused ones and drafts. */
  readRecords(customerId: string, key: OrderKey, call: Call): Promise<OrderRecords | null>
  toOrders(records: readonly OrderRecords[], call: Call): Promise<Order[]>
}

interface PageRange {
  limit: number
  offset: number
}

type OrderPage = Awaited<ReturnType<OrderReader['orders']>>

export function createOrderReader(context: TrytonContext): OrderReader {
  const { rpc, capabilities, facts, formatAmount } = context
  const requireModules = (call: Call) => capabilities.require(call, 'orders', 'webOrders')

  async function toOrders(records: readonly OrderRecords[], call: Call): Promise<Order[]> {
    const taxes = await context.taxes.readTaxTable(call)
    const today = dateInTimeZone(facts.timeZone, facts.now())
    return records.map((one) => toOrder(one, { ...context, taxes, today }))
  }

  async function readRecords(customerId: string, key: OrderKey, call: Call): Promise<OrderRecords | null> {
    await requireModules(call)
    const party = parseRecordId(customerId)
    const keyDomain = 'reference' in key ? ['web_id', '=', key.reference] : ['id', '=', parseRecordId(key.order_id)]
    if (party === null || keyDomain[2] === null) return null
    const [sale] = await readSales(
      context,
      [...storefrontSalesDomain(context), ['party', '=', party], keyDomain],
      call,
      {
        limit: 1,
      },
    )
    const [records] = sale ? await readOrderRecords(context, [sale], call) : []
    return records ?? null
  }

  async function readOrder(customerId: string, key: OrderKey, call: Call): Promise<Order | null> {
    const records = await readRecords(customerId, key, call)
    if (!records || isUnplacedSale(records.sale)) return null
    return (await toOrders([records], call))[0]!
  }

  const readOrders = async (sales: readonly SaleRow[], call: Call) =>
    toOrders(await readOrderRecords(context, sales, call), call)

  async function readPage(domain: unknown[], { limit, offset }: PageRange, call: Call): Promise<OrderPage> {
    const [orders, total] = await Promise.all([
      readSales(context, domain, call, { offset, limit, order: NEWEST_FIRST }).then((sales) => readOrders(sales, call)),
      rpc(Count, 'sale.sale.search_count', [domain], call),
    ])
    return { orders, total, has_more: offset + orders.length < total }
  }

  /** Tryton's own states do not say whether goods were shipped, so the sales are filtered here. */
  async function readPageOfStatus(
    status: OrderStatus,
    domain: unknown[],
    { limit, offset }: PageRange,
    call: Call,
  ): Promise<OrderPage> {
    const statusDomain = [...domain, ['state', 'in', statesByStatus[status]]]
    const sales = await readSales(context, statusDomain, call, { limit: MAX_FILTERED, order: NEWEST_FIRST })
    const saleIds = sales.map(({ id }) => id)
    const moves = Map.groupBy(await readStockMoves(context, saleIds, call), ({ sale }) => sale)
    const matching = sales.filter((sale) => toOrderStatus({ sale, moves: moves.get(sale.id) ?? [] }) === status)
    return {
      orders: await readOrders(matching.slice(offset, offset + limit), call),
      total: sales.length < MAX_FILTERED ? matching.length : null,
      has_more: offset + limit < matching.length,
    }
  }

  return {
    readRecords,
    toOrders,
    order: readOrder,
    async orders(customerId, { limit, offset, status, placed_since }, call) {
      await requireModules(call)
      const party = parseRecordId(customerId)
      if (party === null) return { orders: [], total: 0, has_more: false }
      const since = placed_since ? [['create_date', '>=', toTrytonDatetime(Date.parse(placed_since))]] : []
      const domain = [...storefrontSalesDomain(context), ['party', '=', party], placedSalesDomain, ...since]
      return status === undefined
        ? readPage(domain, { limit, offset }, call)
        : readPageOfStatus(status, domain, { limit, offset }, call)
    },
    async payment(customerId, key, call) {
      const matching = await readOrder(customerId, key, call)
      return matching && toNotRequiredPayment(matching, formatAmount('0'))
    },
  }
}

const ACTIVE_STATES = ['confirmed', 'processing', 'done']
const statesByStatus: Record<OrderStatus, string[]> = {
  PENDING: [],
  REJECTED: [],
  CONFIRMED: ACTIVE_STATES,
  PARTIALLY_SHIPPED: ACTIVE_STATES,
  SHIPPED: ACTIVE_STATES,
  DELIVERED: ['done'],
  CANCELLED: ['cancelled', 'done', 'processing', 'confirmed'],
}
