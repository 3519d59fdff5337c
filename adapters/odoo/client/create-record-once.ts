import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { toLogExcerpt } from '../../../src/upstream/client/log-excerpt.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { emptyOr, OdooId } from './odoo-values.ts'
import type { Rpc } from './rpc.ts'

const Loaded = responseSchema(
  Type.Object({
    ids: emptyOr(Type.Array(emptyOr(OdooId))),
    messages: Type.Array(Type.Object({ message: Type.String() })),
  }),
)
/** Two transactions created the same record: the one that lost finds it when it tries again. */
const CONFLICT = /could not serialize|duplicate key|deadlock|already exists|concurrent/i

/** The rows of one record: the first with the record's own fields, the others only with the fields of further lines. */
export interface LoadRows {
  fields: string[]
  data: string[][]
}

/**
 * Creates a record under an external id, which the database keeps unique, and returns its id. When the id is taken
 * already, nothing changes, however late the call arrives.
 */
export async function createRecordOnce(
  rpc: Rpc,
  model: string,
  externalName: string,
  { fields, data }: LoadRows,
  call: Call,
): Promise<number> {
  const rows = data.map((row, i) => [i === 0 ? `forecourt.${externalName}` : '', ...row])
  const args = {
    fields: ['id', ...fields],
    data: rows,
    context: { mode: 'update', noupdate: true, active_test: false, tracking_disable: true },
  }
  const { ids, messages } = await rpc.call(Loaded, `${model}/load`, args, call)
  const [id] = ids || []
  if (id) return id
  const text = messages.map(({ message }) => message).join('; ')
  const message = `${model}/load: ${toLogExcerpt(text)}`
  if (CONFLICT.test(text)) throw new UpstreamError('error', message, { retryable: true })
  throw new UpstreamError('rejected', message)
}

/** Returns a reference as the name of an external id, which is one word without a dot. */
export const toExternalName = (reference: string): string =>
  reference.replace(/[^\w-]/g, (character) => `~${character.codePointAt(0)!.toString(16)}~`)
