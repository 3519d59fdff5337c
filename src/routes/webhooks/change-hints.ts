import type Router from '@koa/router'
import Type from 'typebox'
import { wakeFeeds } from '../../changes/feed-wakeup.ts'
import { InvalidInput, Problem } from '../../errors.ts'
import type { Context } from '../../http/context.ts'
import { readRawBody } from '../../http/raw-body.ts'
import { createRequestValidator } from '../../http/validation/request-validator.ts'
import { type System, systems } from '../../ports/system.ts'
import type { Database } from '../../storage/database.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'
import { isChangeHintSigned } from './change-hint-signature.ts'

export const MAX_CHANGE_HINT_BYTES = 65_536

export const ChangeHintParams = Type.Object({ merchant: Type.String(), system: Type.Enum([...systems]) })
export const ChangeHintQuery = Type.Object({
  mode: Type.Optional(Type.Enum(['live', 'sandbox'], { description: 'Both, when it is not said' })),
})

interface HookParts {
  db: Database
  upstreams: Pick<UpstreamRegistry, 'forTenant'>
  now: () => number
}

/** A back office's hint that something changed there. It wakes the change feed, and is believed in nothing: its body is not even read. */
export function registerChangeHints(router: Router, { db, upstreams, now }: HookParts): void {
  const judge = createRequestValidator({ query: ChangeHintQuery })
  router.post('/hooks/:merchant/:system', async (context) => {
    const ctx = context as unknown as Context & { params: { merchant: string; system: string } }
    const { merchant, system } = ctx.params
    ctx.state.route = 'hook'
    if (!isSystem(system)) throw new Problem('not_found')
    const body = await readRawBody(ctx, MAX_CHANGE_HINT_BYTES)
    if (body === null) {
      ctx.respond = false
      return
    }
    const secret = upstreams.forTenant(merchant, 'live')?.merchant.hookSecret
    if (!isChangeHintSigned(ctx.req.headers, body, secret, now())) throw new Problem('invalid_signature')
    const judged = judge({ query: ctx.querystring })
    if (!judged.ok) throw new InvalidInput(judged.detail)
    const { mode } = judged.value.query as { mode?: 'live' | 'sandbox' }
    await wakeFeeds(db, merchant, mode ? [mode] : ['live', 'sandbox'], system, now())
    ctx.status = 202
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { accepted: true }
  })
}

const isSystem = (name: string): name is System => (systems as readonly string[]).includes(name)
