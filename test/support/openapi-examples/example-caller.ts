import { apiRoutes } from '../../../src/routes/api-routes.ts'
import { type Reply, sendHttpRequest } from '../send-http-request.ts'
import { until } from '../until.ts'
import type { RunningDemo } from './running-demo.ts'

/** What one call of an operation sends. */
export interface ExampleCall {
  params?: Record<string, string | number>
  query?: Record<string, string | number | string[]>
  request?: unknown
  /** Records the call beside the usual one of the operation, as `<operationId>.<form>`. */
  form?: string
  /** A publishable key by default; a shopper token goes with a secret key. */
  as?: 'secret' | { shopper: string }
}

/** A call and its response, as an example of the OpenAPI document has it. */
export interface RecordedExample extends Omit<ExampleCall, 'as' | 'form'> {
  /** By status. */
  responses?: Record<string, unknown>
}

export interface ExampleCaller {
  /** The examples so far, by operationId. */
  recorded: Map<string, RecordedExample>
  /** Calls an operation, records the call as its example, and returns the body of the response. */
  // biome-ignore lint/suspicious/noExplicitAny: responses are read freely
  call(operationId: string, call?: ExampleCall): Promise<any>
}

export function createExampleCaller(demo: RunningDemo): ExampleCaller {
  const recorded: ExampleCaller['recorded'] = new Map()
  return {
    recorded,
    async call(operationId, { as, form, ...call } = {}) {
      const name = form === undefined ? operationId : `${operationId}.${form}`
      const reply = await sendPatiently(demo, operationId, call, as)
      if (reply.status >= 300) throw new Error(`${operationId} responded ${reply.status}: ${reply.text}`)
      const responses = {
        ...recorded.get(name)?.responses,
        ...(reply.body !== undefined && { [reply.status]: reply.body }),
      }
      recorded.set(name, { ...call, ...(Object.keys(responses).length > 0 && { responses }) })
      return reply.body
    },
  }
}

/** On a busy machine, a demo reads its catalog for longer than tests usually wait. */
const PATIENCE_MS = 600_000

type SentCall = [operationId: string, call: Omit<ExampleCall, 'as' | 'form'>, as: ExampleCall['as']]

/** Repeats a call while the catalog is being read, and when a busy machine was too slow: an example shows a complete response. */
async function sendPatiently(demo: RunningDemo, ...call: SentCall): Promise<Reply> {
  let reply: Reply | undefined
  const isComplete = async () => {
    reply = await send(demo, ...call)
    return reply.status < 500 && (reply.body?.errors ?? []).length === 0
  }
  await until(`${call[0]} responds with all sections`, isComplete, PATIENCE_MS)
  return reply!
}

function send(
  { address, publishableKey, secretKey }: RunningDemo,
  ...[operationId, { params = {}, query = {}, request }, as]: SentCall
): Promise<Reply> {
  const route = apiRoutes.find((one) => one.operationId === operationId)!
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  )
  const headers = {
    authorization: `Bearer ${as === undefined ? publishableKey : secretKey}`,
    ...(typeof as === 'object' && { 'x-storefront-shopper-token': as.shopper }),
  }
  const options = { method: route.method, headers, ...(request !== undefined && { body: request }) }
  return sendHttpRequest(address, search.size > 0 ? `${path}?${search}` : path, options)
}
