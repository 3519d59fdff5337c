import type Router from '@koa/router'
import Type from 'typebox'
import { wakeFeeds } from '../../changes/schedule/feed-wakeup.ts'
import { ProblemBody } from '../../contract/problem.ts'
import { ModeSchema } from '../../contract/schema-parts.ts'
import { createNotFound, InvalidInput, Problem } from '../../errors.ts'
import { readRawBody } from '../../http/body/read-body.ts'
import type { Context } from '../../http/context.ts'
import type { CollectSchema } from '../../http/openapi/collect-schema.ts'
import { referToResponses } from '../../http/openapi/common-responses.ts'
import { toProblemContent } from '../../http/openapi/problem-content.ts'
import { sendJson } from '../../http/responses/send-response.ts'
import { createRequestValidator } from '../../http/validation/request-validator.ts'
import { type System, systems } from '../../ports/system.ts'
import type { Database } from '../../storage/database.ts'
import { type Mode, modes } from '../../tenant.ts'
import type { UpstreamRegistry } from '../../upstream/upstream-registry.ts'
import { isChangeHintSigned } from './change-hint-signature.ts'

const MAX_CHANGE_HINT_BYTES = 65_536

const ChangeHintQuery = Type.Object({
  mode: Type.Optional(Type.Enum([...modes], { description: 'Both by default' })),
})

const ChangeHintAccepted = Type.Object({ accepted: Type.Literal(true) }, { $id: 'HintAccepted' })

const SystemSchema = Type.Enum([...systems], { $id: 'BackOfficeSystem' })

interface ChangeHintDeps {
  db: Database
  upstreams: Pick<UpstreamRegistry, 'forTenant'>
  now: () => number
}

/** Serves a back office's hint that its data has changed. A hint wakes the change feed; its body is verified but not used. */
export function registerChangeHints(router: Router, { db, upstreams, now }: ChangeHintDeps): void {
  const validate = createRequestValidator({ query: ChangeHintQuery })
  router.post('/hooks/:merchant/:system', async (context) => {
    const ctx = context as unknown as Context & { params: { merchant: string; system: string } }
    const { merchant, system } = ctx.params
    ctx.state.route = 'hook'
    if (!isSystem(system)) throw createNotFound('system')
    const body = await readRawBody(ctx, MAX_CHANGE_HINT_BYTES)
    if (body === null) {
      ctx.respond = false
      return
    }
    const secret = upstreams.forTenant({ merchant, mode: 'live' })?.merchant.hookSecret
    if (!isChangeHintSigned(ctx.req.headers, body, secret, now())) throw new Problem('invalid_signature')
    const result = validate({ query: ctx.querystring })
    if (!result.ok) throw new InvalidInput(result.detail)
    const { mode } = result.value.query as { mode?: Mode }
    await wakeFeeds(db, merchant, mode ? [mode] : modes, system, now())
    sendJson(ctx, 202, { accepted: true })
  })
}

const isSystem = (name: string): name is System => (systems as readonly string[]).includes(name)

/** Returns the OpenAPI path item of change hints, which back offices call rather than storefronts. */
export function createChangeHintPathItem(collect: CollectSchema) {
  const problem = (description: string) => ({ description, content: toProblemContent(collect(ProblemBody)) })
  const parameter = (name: string, location: string, description: string, schema: object = { type: 'string' }) => ({
    name,
    in: location,
    required: location === 'path',
    description,
    schema,
  })
  return {
    post: {
      operationId: 'hintOfChanges',
      summary: 'Notify Forecourt that data in a back office has changed',
      description:
        'Polls the change feed of that system early. Signed with the merchant’s hook_secret, either as described here or with the headers of Standard Webhooks. The content of the body is not used.',
      tags: ['Webhooks'],
      security: [],
      parameters: [
        parameter('merchant', 'path', 'The merchant'),
        parameter('system', 'path', 'The system that changed', collect(SystemSchema)),
        parameter('mode', 'query', 'Both by default', collect(ModeSchema)),
        parameter('X-Service-Signature', 'header', 'sha256= and the hex HMAC-SHA256 of the body'),
      ],
      responses: {
        202: {
          description: 'The change feed will be polled',
          content: { 'application/json': { schema: collect(ChangeHintAccepted), example: { accepted: true } } },
        },
        ...referToResponses([400, 408, 413, 422, 431, 500]),
        401: problem('The signature is missing or wrong, or the merchant does not exist'),
        404: problem('The system does not exist'),
        503: problem('The store is unavailable'),
      },
    },
  }
}
