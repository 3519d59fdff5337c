import { Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { toSlug } from '../../to-slug.ts'
import type { Rpc } from '../client/rpc.ts'
import { TrytonId } from '../client/tryton-values.ts'

const Terms = responseSchema(Type.Array(Type.Object({ id: TrytonId, name: Type.String() })))
const Deltas = responseSchema(
  Type.Array(Type.Object({ months: Type.Integer(), weeks: Type.Integer(), days: Type.Integer() })),
)
const DAYS_A_MONTH = 30

export interface PaymentTerm {
  code: string
  days: number
  description: string
}

/** Reads a payment term, with the days until its last installment is due. */
export async function readPaymentTerm(rpc: Rpc, id: number, call: Call): Promise<PaymentTerm | null> {
  const domain = [['line.payment', '=', id]]
  const fields = ['months', 'weeks', 'days']
  const [[term], deltas] = await Promise.all([
    rpc(Terms, 'account.invoice.payment_term.search_read', [[['id', '=', id]], 0, 1, null, ['name']], call),
    rpc(Deltas, 'account.invoice.payment_term.line.delta.search_read', [domain, 0, null, null, fields], call),
  ])
  if (!term) return null
  const days = Math.max(0, ...deltas.map((delta) => delta.months * DAYS_A_MONTH + delta.weeks * 7 + delta.days))
  return { code: toSlug(term.name).toUpperCase().slice(0, 64), days, description: term.name }
}
