import { Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type { Call } from '../../src/ports/call.ts'
import { shape } from '../../src/upstream/shape.ts'
import { ofProducts } from './attachments.ts'
import { changedSince, latestOf, MAX_CHANGES, type Stamp } from './feed.ts'
import { isRefused } from './ledger.ts'
import type { Rpc } from './rpc.ts'
import { withCode } from './search.ts'
import { dates, TrytonId, writtenAt } from './values.ts'

const Hung = shape(Type.Array(Type.Object({ id: TrytonId, resource: Type.String(), ...dates })))
const Holders = shape(
  Type.Array(Type.Object({ id: TrytonId, code: Type.String(), 'template.': Type.Object({ id: TrytonId }) })),
)
const FIELDS = ['resource', 'create_date', 'write_date']
/** Within an OR, Tryton puts its own filter for active records back. */
const RETIRED_TOO = { active_test: false }

/** SKUs on which something was hung since then, or changed there. A picture that was taken away leaves no trace: see docs/media.md. */
export async function changedPictures(
  rpc: Rpc,
  since: number,
  filters: unknown[],
  call: Call,
): Promise<Stamp<string>[]> {
  const times = latestOf(await hungSince(rpc, since, call))
  if (times.length === 0) return []
  const at = new Map(times.map((stamp) => [stamp.id, stamp.at]))
  const idsOn = (model: string) =>
    times.flatMap(({ id }) => (id.startsWith(`${model},`) ? Number(id.slice(model.length + 1)) : []))
  const holding = ['OR', [['id', 'in', idsOn('product.product')]], [['template', 'in', idsOn('product.template')]]]
  const params = [[...withCode, holding, ...filters], 0, null, [['id', 'ASC']], ['code', 'template.active']]
  const rows = await rpc(Holders, 'product.product.search_read', params, call, RETIRED_TOO)
  const stamps = rows.flatMap((row) =>
    [`product.product,${row.id}`, `product.template,${row['template.'].id}`].flatMap((resource) => {
      const time = at.get(resource)
      return time === undefined ? [] : [{ id: row.code, at: time }]
    }),
  )
  return latestOf(stamps)
}

/** By the record that it hangs on. */
async function hungSince(rpc: Rpc, since: number, call: Call): Promise<Stamp<string>[]> {
  const params = [[ofProducts, changedSince(since, '')], 0, MAX_CHANGES + 1, [['id', 'ASC']], FIELDS]
  try {
    const rows = await rpc(Hung, 'ir.attachment.search_read', params, call)
    if (rows.length > MAX_CHANGES) throw new UpstreamError('overloaded', `over ${MAX_CHANGES} pictures since then`)
    return rows.map((row) => ({ id: row.resource, at: writtenAt(row) }))
  } catch (error) {
    if (isRefused(error)) return []
    throw error
  }
}
