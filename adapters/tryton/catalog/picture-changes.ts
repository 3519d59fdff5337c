import { type Static, Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Call } from '../../../src/ports/call.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { isRejected } from '../accounting-context.ts'
import { type ChangeStamp, changedSinceDomain, latestStampPerId } from '../client/change-feed.ts'
import type { Rpc } from '../client/rpc.ts'
import { lastWrittenAtMs, TrytonId, timestampFields } from '../client/tryton-values.ts'
import { productAttachmentsDomain } from './picture-attachments.ts'
import { hasSkuDomain } from './search-domain.ts'

const Hung = Type.Object({ id: TrytonId, resource: Type.String(), ...timestampFields })
type Hung = Static<typeof Hung>
const HungRows = responseSchema(Type.Array(Hung))
const Holders = responseSchema(
  Type.Array(Type.Object({ id: TrytonId, code: Type.String(), 'template.': Type.Object({ id: TrytonId }) })),
)
const FIELDS = ['resource', 'create_date', 'write_date']
/** Within an OR, Tryton puts its own filter for active records back. */
const RETIRED_TOO = { active_test: false }
const READ_ROWS = 5_000
/** More are refused: 'overloaded'. Products may have several each. */
const MAX_ROWS = 500_000

/** SKUs on which something was hung since then, or changed there. A picture that was taken away leaves no trace: see docs/media.md. */
export async function readPictureChanges(
  rpc: Rpc,
  since: number,
  filters: unknown[],
  call: Call,
): Promise<ChangeStamp<string>[]> {
  const stamps: ChangeStamp<string>[] = []
  let afterId = 0
  for (let read = 0; read < MAX_ROWS; read += READ_ROWS) {
    const hung = await hungSince(rpc, since, afterId, call)
    for (const stamp of await holdersOf(rpc, hung, filters, call)) stamps.push(stamp)
    if (hung.length < READ_ROWS) return latestStampPerId(stamps)
    afterId = hung.at(-1)!.id
  }
  throw new UpstreamError('overloaded', `over ${MAX_ROWS} pictures changed since then`)
}

/** In parts: one answer with all of a large shop's would be longer than may be read of a system. */
async function hungSince(rpc: Rpc, since: number, afterId: number, call: Call): Promise<Hung[]> {
  const domain = [productAttachmentsDomain, changedSinceDomain(since, ''), ['id', '>', afterId]]
  try {
    return await rpc(HungRows, 'ir.attachment.search_read', [domain, 0, READ_ROWS, [['id', 'ASC']], FIELDS], call)
  } catch (error) {
    if (isRejected(error)) return []
    throw error
  }
}

/** The SKUs of what these hang on, with the times of these. */
async function holdersOf(
  rpc: Rpc,
  hung: readonly Hung[],
  filters: unknown[],
  call: Call,
): Promise<ChangeStamp<string>[]> {
  if (hung.length === 0) return []
  const times = latestStampPerId(hung.map((row) => ({ id: row.resource, at: lastWrittenAtMs(row) })))
  const at = new Map(times.map((stamp) => [stamp.id, stamp.at]))
  const idsOn = (model: string) =>
    times.flatMap(({ id }) => (id.startsWith(`${model},`) ? Number(id.slice(model.length + 1)) : []))
  const holding = ['OR', [['id', 'in', idsOn('product.product')]], [['template', 'in', idsOn('product.template')]]]
  const params = [[...hasSkuDomain, holding, ...filters], 0, null, [['id', 'ASC']], ['code', 'template.active']]
  const rows = await rpc(Holders, 'product.product.search_read', params, call, RETIRED_TOO)
  return rows.flatMap((row) =>
    [`product.product,${row.id}`, `product.template,${row['template.'].id}`].flatMap((resource) => {
      const time = at.get(resource)
      return time === undefined ? [] : [{ id: row.code, at: time }]
    }),
  )
}
