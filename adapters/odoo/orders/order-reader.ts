import { Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Order, OrderKey, OrderQuery, OrderStatus } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { toNotRequiredPayment } from '../../to-not-required-payment.ts'
import { OdooId, OdooIds, OdooText, parseRecordId, toOdooDatetime } from '../client/odoo-values.ts'
import { foundShape } from '../client/rpc.ts'
import type { OdooContext } from '../context.ts'
import { type OrderAttachments, readOrderAttachments } from './order-attachments.ts'
import { toOrder } from './order-mapping.ts'
import { openReturnDomain, statusDomains, toStatus } from './order-status.ts'
import { placedDomain } from './placed-domain.ts'
import { REFUSED_SALE_ORIGIN_PREFIX, SALE_ORIGIN_PREFIX } from './sale-origin.ts'
import { type SaleRow, SaleRows, saleSpecification } from './sale-schemas.ts'

export interface OrderReader extends Required<Pick<AccountingPort, 'order' | 'orders' | 'payment'>> {
  /** Reads the oldest order of a reference, of whichever customer, including refused ones and drafts. Later ones are copies. */
  findByReference(reference: string, call: Call): Promise<SaleRow | undefined>
  /** Reads an order of a customer; `null` for a refused one, for a draft and for a copy that staff made. */
  findPlaced(customerId: string, key: OrderKey, call: Call): Promise<PlacedSale | null>
  readById(orderId: number, call: Call): Promise<SaleRow | undefined>
  readByIds(orderIds: readonly number[], call: Call): Promise<SaleRow[]>
  toOrders(rows: readonly SaleRow[], call: Call, attachments?: Map<number, OrderAttachments>): Promise<Order[]>
}

export interface PlacedSale {
  row: SaleRow
  attachments: Map<number, OrderAttachments>
}

const ReturnedSales = foundShape(
  Type.Object({
    id: OdooId,
    state: Type.String(),
    delivery_status: OdooText,
    picking_ids: Type.Array(Type.Object({ id: OdooId, state: Type.String(), picking_type_code: OdooText })),
  }),
)
const returnedSpecification = {
  ...{ state: {}, delivery_status: {} },
  picking_ids: { fields: { state: {}, picking_type_code: {} } },
}
const SameOrigin = responseSchema(Type.Array(Type.Object({ 'id:array_agg': OdooIds })))

export function createOrderReader(context: OdooContext): OrderReader {
  const { rpc, facts, formatAmount, digits, settings } = context
  const companyDomain = ['company_id', '=', settings.company ?? 1]

  async function search(domain: unknown[], page: { limit?: number; offset?: number; order?: string }, call: Call) {
    const specification = saleSpecification(await context.readOptionalFields('stock.picking', call))
    return rpc.search(
      SaleRows,
      'sale.order',
      { domain: [...domain, companyDomain], specification, order: 'date_order desc, id desc', ...page },
      call,
    )
  }

  async function toOrders(
    rows: readonly SaleRow[],
    call: Call,
    known?: Map<number, OrderAttachments>,
  ): Promise<Order[]> {
    if (rows.length === 0) return []
    const [attachments, { countryCode }, { taxes }, { units }] = await Promise.all([
      known ??
        readOrderAttachments(
          rpc,
          rows.map(({ id }) => id),
          call,
        ),
      context.readCompany(call),
      context.readTaxTables(call),
      context.readCatalogTables(call),
    ])
    const sources = { facts, formatAmount, digits, countryCode, taxes, units }
    return rows.map((row) => toOrder(row, attachments.get(row.id) ?? { decision: null, cancellation: null }, sources))
  }

  const readOldest = async (domain: unknown[], call: Call) =>
    (await search(domain, { limit: 1, order: 'id' }, call)).records[0]
  const readById = (orderId: number, call: Call) => readOldest([['id', '=', orderId]], call)
  const findByReference = (reference: string, call: Call) =>
    readOldest([['origin', 'in', [SALE_ORIGIN_PREFIX + reference, REFUSED_SALE_ORIGIN_PREFIX + reference]]], call)

  /** A duplicate has the origin of its order, but no decision: Odoo does not copy attachments. */
  async function findPlaced(customerId: string, key: OrderKey, call: Call): Promise<PlacedSale | null> {
    const id = 'order_id' in key ? parseRecordId(key.order_id) : null
    if ('order_id' in key && id === null) return null
    const row = 'order_id' in key ? await readById(id!, call) : await findByReference(key.reference, call)
    if (!row || String(row.partner_id) !== customerId || !isPlaced(row)) return null
    const attachments = await readOrderAttachments(rpc, [row.id], call)
    return attachments.get(row.id)?.decision ? { row, attachments } : null
  }

  /** Reads the orders of a customer that staff duplicated from another one: all with the same origin but the oldest. */
  async function readCopies(customer: number, call: Call): Promise<number[]> {
    const args = {
      domain: [['partner_id', '=', customer], ['origin', '=like', `${SALE_ORIGIN_PREFIX}%`], companyDomain],
      groupby: ['origin'],
      aggregates: ['id:array_agg'],
      having: [['__count', '>', 1]],
    }
    const groups = await rpc.call(SameOrigin, 'sale.order/formatted_read_group', args, call)
    return groups.flatMap(({ 'id:array_agg': ids }) => ids.toSorted((a, b) => a - b).slice(1))
  }

  /** Returns the orders of a status as a domain. Shipped orders with an open return are looked up, because Odoo calls them partial. */
  async function toStatusDomain(customer: number, status: OrderStatus, call: Call): Promise<unknown[] | undefined> {
    const domain = statusDomains[status]
    if (!domain || (status !== 'SHIPPED' && status !== 'PARTIALLY_SHIPPED')) return domain
    const search = {
      domain: [['partner_id', '=', customer], ...placedDomain, ...openReturnDomain, companyDomain],
      specification: returnedSpecification,
    }
    const { records } = await rpc.search(ReturnedSales, 'sale.order', search, call)
    const shipped = records.filter((row) => toStatus(row) === 'SHIPPED').map(({ id }) => id)
    if (shipped.length === 0) return domain
    if (status === 'PARTIALLY_SHIPPED') return [...domain, ['id', 'not in', shipped]]
    return ['|', ['id', 'in', shipped], '&', ...domain]
  }

  async function order(customerId: string, key: OrderKey, call: Call): Promise<Order | null> {
    const placed = await findPlaced(customerId, key, call)
    return placed && (await toOrders([placed.row], call, placed.attachments))[0]!
  }

  return {
    findPlaced,
    toOrders,
    order,
    findByReference,
    readById,
    readByIds: async (orderIds, call) => (await search([['id', 'in', orderIds]], {}, call)).records,
    async orders(customerId, { limit, offset, status, placed_since }: OrderQuery, call) {
      const customer = parseRecordId(customerId)
      if (customer === null) return { orders: [], total: 0, has_more: false }
      const ofStatus = status === undefined ? [] : await toStatusDomain(customer, status, call)
      if (ofStatus === undefined) return { orders: [], total: 0, has_more: false }
      const since = placed_since === undefined ? [] : [['date_order', '>=', toOdooDatetime(Date.parse(placed_since))]]
      const domain = [['partner_id', '=', customer], ...placedDomain, ...ofStatus, ...since]
      const page = { limit, offset }
      const [found, copies] = await Promise.all([search(domain, page, call), readCopies(customer, call)])
      const { length, records } =
        copies.length === 0 ? found : await search([...domain, ['id', 'not in', copies]], page, call)
      return { orders: await toOrders(records, call), total: length, has_more: offset + records.length < length }
    },
    async payment(customerId, key, call) {
      const row = await order(customerId, key, call)
      return row && toNotRequiredPayment(row, formatAmount('0'))
    },
  }
}

const isPlaced = ({ origin, state }: SaleRow) =>
  origin !== false && origin.startsWith(SALE_ORIGIN_PREFIX) && (state === 'sale' || state === 'cancel')
