import { type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { ResponseSchema } from '../../../src/ports/http-client.ts'
import type { OrderDraft, OrderRefusalReason } from '../../../src/ports/order.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { StoredOrderDraft } from '../../stored-order-draft.ts'
import { createRecordOnce } from '../client/create-record-once.ts'
import { OdooId, OdooText } from '../client/odoo-values.ts'
import { foundShape, type Rpc } from '../client/rpc.ts'

/** An accepted order of a customer whose credit is limited, before it is confirmed. Its amount is a decimal string. */
export interface PendingOrder {
  orderId: number
  amount: string
}

/** What Forecourt decided about an order, and the draft that it decided about. Written once. `draft` is `null` if somebody changed it. */
export interface Decision {
  reference: string
  draft: OrderDraft | null
  refusal: { reason: OrderRefusalReason; skus: string[]; available_credit: string | null } | null
  /** The place of a decision in the log of a customer's credit, and the orders that were pending then. */
  log: { number: number; pending: PendingOrder[] } | null
}

/** Why and when an order was cancelled. Written once, before the order is cancelled. */
export interface Cancellation {
  reason: string
  note: string | null
  /** RFC 3339, UTC. */
  at: string
}

export interface OrderAttachments {
  decision: Decision | null
  cancellation: Cancellation | null
}

const OrNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
const StoredDraft = responseSchema(StoredOrderDraft)
const StoredDecision = responseSchema(
  Type.Object({
    reference: Type.String(),
    draft: Type.Unknown(),
    refusal: OrNull(
      Type.Object({
        reason: Type.String(),
        skus: Type.Array(Type.String()),
        available_credit: OrNull(Type.String()),
      }),
    ),
    log: OrNull(
      Type.Object({
        number: Type.Integer({ minimum: 1 }),
        pending: Type.Array(Type.Object({ orderId: OdooId, amount: Type.String({ pattern: '^\\d+(\\.\\d+)?$' }) })),
      }),
    ),
  }),
) as unknown as ResponseSchema<Decision>
const StoredCancellation = responseSchema(
  Type.Object({
    reason: Type.String(),
    note: OrNull(Type.String()),
    at: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT' }),
  }),
)

const MODEL = 'sale.order'
const DECISION = 'forecourt-order'
const CANCELLATION = 'forecourt-cancellation'

const Attachments = foundShape(Type.Object({ id: OdooId, name: Type.String(), res_id: OdooId, description: OdooText }))
const specification = { name: {}, res_id: {}, description: {} }
/** Customers can attach files of any name in Odoo's portal, but not describe them. */
const described = ['description', '!=', false]

/** Attaches a document to an order, once per external id. */
const saveAttachment = (rpc: Rpc, externalName: string, name: string, orderId: number, document: object, call: Call) =>
  createRecordOnce(
    rpc,
    'ir.attachment',
    externalName,
    {
      fields: ['name', 'res_model', 'res_id', 'mimetype', 'description'],
      data: [[name, MODEL, String(orderId), 'application/json', JSON.stringify(document)]],
    },
    call,
  )

/** Saves a decision. In the log of a customer, the first decision with a number counts, and any other changes nothing. */
export function saveDecision(rpc: Rpc, customerId: number, orderId: number, decision: Decision, call: Call) {
  const { log } = decision
  const externalName = log ? `credit_${customerId}_${log.number}` : `decision_${orderId}`
  return saveAttachment(rpc, externalName, toDecisionName(log && customerId), orderId, decision, call)
}

export const saveCancellation = (rpc: Rpc, orderId: number, cancellation: Cancellation, call: Call) =>
  saveAttachment(rpc, `cancellation_${orderId}`, CANCELLATION, orderId, cancellation, call)

const toDecisionName = (customerId: number | null) =>
  customerId === null ? DECISION : `${DECISION}-${customerId}-credit`

/** Reads the latest decision in the log of a customer. */
export async function readLatestLoggedDecision(rpc: Rpc, customerId: number, call: Call): Promise<Decision | null> {
  const search = {
    domain: [['res_model', '=', MODEL], ['name', '=', toDecisionName(customerId)], described],
    specification,
    order: 'id desc',
    limit: 1,
  }
  const [attachment] = (await rpc.search(Attachments, 'ir.attachment', search, call)).records
  if (!attachment) return null
  const decision = parseDecision(attachment.description)
  if (decision) return decision
  throw new UpstreamError('invalid', `somebody changed attachment ${attachment.id}, the log of a customer's credit`)
}

function parseDecision(text: OdooText): Decision | null {
  const decision = parseDocument(StoredDecision, text)
  return decision && { ...decision, draft: parseShape(StoredDraft, decision.draft) as OrderDraft | null }
}

/** Parses the description of an attachment, which users of Odoo can edit. */
function parseDocument<T>(shape: ResponseSchema<T>, text: OdooText): T | null {
  try {
    return parseShape(shape, JSON.parse(text || 'null'))
  } catch {
    return null
  }
}

function parseShape<T>(shape: ResponseSchema<T>, value: unknown): T | null {
  try {
    return shape.parse(value)
  } catch {
    return null
  }
}

/** Reads the attachments of orders, by order. The first decision about an order counts. */
export async function readOrderAttachments(
  rpc: Rpc,
  orderIds: readonly number[],
  call: Call,
): Promise<Map<number, OrderAttachments>> {
  if (orderIds.length === 0) return new Map()
  const search = {
    domain: [['res_model', '=', MODEL], ['res_id', 'in', orderIds], ['name', '=like', 'forecourt-%'], described],
    specification,
    order: 'id',
  }
  const { records } = await rpc.search(Attachments, 'ir.attachment', search, call)
  const byOrder = Map.groupBy(records, ({ res_id }) => res_id)
  const find = (orderId: number, prefix: string): OdooText =>
    byOrder.get(orderId)?.find(({ name }) => name.startsWith(prefix))?.description ?? false
  return new Map(
    orderIds.map((id) => [
      id,
      {
        decision: parseDecision(find(id, DECISION)),
        cancellation: parseDocument(StoredCancellation, find(id, CANCELLATION)),
      },
    ]),
  )
}
