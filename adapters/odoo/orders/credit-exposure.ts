import { Decimal } from 'decimal.js'
import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { OdooId } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'
import { openAmount, openOrderDomain } from '../customers/open-orders.ts'
import type { Decision, PendingOrder } from './order-attachments.ts'

const ExposureRow = Type.Object({
  id: OdooId,
  state: Type.String(),
  amount_total: Type.Number(),
  amount_tax: Type.Number(),
  amount_invoiced: Type.Number(),
  partner_id: Type.Object({
    id: OdooId,
    commercial_partner_id: Type.Object({ id: OdooId, credit: Type.Number(), credit_limit: Type.Number() }),
  }),
})
type ExposureRow = Static<typeof ExposureRow>
const ExposureRows = foundShape(ExposureRow)
const specification = {
  state: {},
  amount_total: {},
  amount_tax: {},
  amount_invoiced: {},
  partner_id: { fields: { commercial_partner_id: { fields: { credit: {}, credit_limit: {} } } } },
}

/** A new order, with all that its customer owes and has ordered. */
export interface CreditExposure {
  own: ExposureRow
  /** The credit that is left for the order. */
  available: Decimal
  /** The accepted orders that are not confirmed yet. */
  pending: PendingOrder[]
}

/**
 * Reads, in one transaction of Odoo, a draft order, what its customer owes, and their confirmed and pending orders. The
 * log has the pending ones: without it, two orders at the same time would both find the same credit.
 */
export async function readCreditExposure(
  rpc: Rpc,
  orderId: number,
  commercialId: number | null,
  last: Decision | null,
  call: Call,
): Promise<CreditExposure> {
  const logged = last?.log?.pending ?? []
  const ids = ['id', 'in', [orderId, ...logged.map((one) => one.orderId)]]
  const domain = commercialId === null ? [ids] : ['|', ids, ...openOrderDomain(commercialId)]
  const { records } = await rpc.search(ExposureRows, 'sale.order', { domain, specification, order: 'id' }, call)
  const byId = new Map(records.map((row) => [row.id, row]))
  const own = byId.get(orderId)
  if (!own) throw new UpstreamError('error', 'the new order cannot be read', { retryable: true })
  // Staff may have deleted the draft of a placement that was never finished.
  const isOpen = (id: number) => !['sale', 'cancel'].includes(byId.get(id)?.state ?? 'cancel')
  const pending = logged.filter(({ orderId: id }) => id !== orderId && isOpen(id))
  const confirmed = records.filter(({ id, state }) => id !== orderId && state === 'sale').map(openAmount)
  const { credit, credit_limit } = own.partner_id.commercial_partner_id
  const spent = Decimal.sum(credit, 0, ...confirmed, ...pending.map(({ amount }) => amount))
  return { own, available: new Decimal(credit_limit).minus(spent), pending }
}
