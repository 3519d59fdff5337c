import type Router from '@koa/router'
import Type from 'typebox'
import { Invalid, Problem } from '../../errors.ts'
import { wakeFeeds } from '../../changes/feed-wakeup.ts'
import { isSigned } from './change-hint-signature.ts'
import { compileInput } from '../../http/validation/request-validator.ts'
import { rawBytes } from '../../http/raw-body.ts'
import type { Context } from '../../http/context.ts'
import { type System, systems } from '../../ports/system.ts'
import type { Database } from '../../storage/database.ts'
import type { Offices } from '../../upstream/upstream-registry.ts'

export const LONGEST_HINT = 65_536

export const HookParams = Type.Object({ merchant: Type.String(), system: Type.Enum([...systems]) })
export const HookQuery = Type.Object({
  mode: Type.Optional(Type.Enum(['live', 'sandbox'], { description: 'Both, when it is not said' })),
})

interface HookParts {
  db: Database
  offices: Pick<Offices, 'of'>
  now: () => number
}

/** A back office's hint that something changed there. It wakes the change feed, and is believed in nothing: its body is not even read. */
export function hooks(router: Router, { db, offices, now }: HookParts): void {
  const judge = compileInput({ query: HookQuery })
  router.post('/hooks/:merchant/:system', async (context) => {
    const ctx = context as unknown as Context & { params: { merchant: string; system: string } }
    const { merchant, system } = ctx.params
    ctx.state.route = 'hook'
    if (!isSystem(system)) throw new Problem('not_found')
    const body = await rawBytes(ctx, LONGEST_HINT)
    if (body === null) {
      ctx.respond = false
      return
    }
    const secret = offices.of(merchant, 'live')?.merchant.hookSecret
    if (!isSigned(ctx.req.headers, body, secret, now())) throw new Problem('invalid_signature')
    const judged = judge({ query: ctx.querystring })
    if (!judged.ok) throw new Invalid(judged.detail)
    const { mode } = judged.value.query as { mode?: 'live' | 'sandbox' }
    await wakeFeeds(db, merchant, mode ? [mode] : ['live', 'sandbox'], system, now())
    ctx.status = 202
    ctx.set('Cache-Control', 'no-store')
    ctx.body = { accepted: true }
  })
}

const isSystem = (name: string): name is System => (systems as readonly string[]).includes(name)
