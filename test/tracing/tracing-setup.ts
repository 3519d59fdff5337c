import { request } from 'node:http'
import { expect } from 'chai'
import type { TracingConfig } from '../../src/config/config.ts'
import { type System, systems } from '../../src/ports/system.ts'
import { type Api, type ApiOptions, startApi } from '../support/api.ts'
import {
  type ReceivedRequest,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamScript,
} from '../support/scripted-upstream.ts'
import { until } from '../support/until.ts'

/** What a test looks at of a span; kinds and codes are as OTLP numbers them. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Record<string, string | number | boolean>
  events: { name: string; attributes: Record<string, unknown> }[]
  links: { traceId: string; spanId: string; attributes: Record<string, unknown> }[]
  failed: boolean
  traceState?: string
}

export const SPAN_KIND_SERVER = 2
export const SPAN_KIND_CLIENT = 3

/** The API over systems that remember what they were sent, and a collector where it is to have one. */
export interface TracedApi extends Api {
  /** A key of the merchant whose systems remember. */
  own: string
  sku(at: number): string
  /** What the systems were sent since the last look. */
  sent(): (ReceivedRequest & { system: System })[]
  /** What happens to calls to a system; without a script, they go on to it. */
  play(system: System, script?: UpstreamScript): void
  /** Keeps calls to a system back; gives how many they are, and lets them go on. */
  hold(system: System): { held(): number; release(): void }
  /** Ends the API, and gives what the collector had of it. */
  spans(): Promise<CollectedSpan[]>
  /** As it came to the collector. */
  collected: ReceivedRequest[]
}

export async function startTracedApi(
  tracing: Partial<TracingConfig> | null,
  options: ApiOptions = {},
  answer?: UpstreamScript,
): Promise<TracedApi> {
  await using stack = new AsyncDisposableStack()
  const collector = await startScriptedUpstream(answer)
  stack.defer(() => collector.close())
  const taps = {} as Record<System, ScriptedUpstream>
  const onward = {} as Record<System, UpstreamScript>
  for (const system of systems) {
    taps[system] = await startScriptedUpstream()
    stack.defer(() => taps[system].close())
  }
  const api = stack.use(
    await startApi({
      ...options,
      ...(tracing && {
        tracing: { endpoint: `${collector.address}/v1/traces`, sample: 1, headers: {}, ...tracing },
      }),
      merchants: (of) => {
        const live = of('acme-live')
        for (const system of systems) {
          const configured = live[system]!
          onward[system] = forward(new URL(configured.address).origin)
          taps[system].script = onward[system]
          configured.address = taps[system].address + new URL(configured.address).pathname
        }
        return [{ merchant: 'traced', live }]
      },
    }),
  )
  const own = await api.key({ merchant: 'traced', mode: 'live' })
  const key = await api.key({ mode: 'live' })
  let goods: { sku: string }[] = []
  await until('there are goods', async () => {
    const { body } = await api.ask('/v1/products?limit=50', { key })
    goods = body.data ?? []
    return goods.length > 0
  })
  const moved = stack.move()
  return {
    ...api,
    own,
    sku: (at) => goods[at]!.sku,
    sent: () => systems.flatMap((system) => taps[system].seen.splice(0).map((seen) => ({ ...seen, system }))),
    play(system, script = onward[system]) {
      taps[system].script = script
    },
    hold(system) {
      const held: (() => void)[] = []
      taps[system].script = (...call) => void held.push(() => onward[system](...call))
      return {
        held: () => held.length,
        release() {
          taps[system].script = onward[system]
          for (const go of held) go()
        },
      }
    },
    async spans() {
      await api.logged()
      return collector.seen.flatMap(({ body }) => spansIn(JSON.parse(body) as Batch))
    },
    collected: collector.seen,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** Two who ask for one product, of whom the second, for its own prices, joins the first one's call to the inventory; gives what was sent. */
export async function shareInventoryCall(stage: TracedApi, path: string, first: object, second: object) {
  const { key } = await stage.issue({ merchant: 'traced', mode: 'live', kind: 'secret' })
  const token = await stage.shopper({ merchant: 'traced', mode: 'live' })
  stage.sent()
  const sent: ReturnType<TracedApi['sent']> = []
  const askedOf = (asked: System) => {
    sent.push(...stage.sent())
    return sent.filter(({ system }) => system === asked).length
  }
  const { release } = stage.hold('inventory')
  const one = stage.ask(path, { key: stage.own, headers: { ...first } })
  await until('the first has asked all', () => askedOf('inventory') === 1 && askedOf('pricing') === 1)
  const other = stage.ask(path, { key, headers: { 'x-storefront-shopper-token': token, ...second } })
  await until('the second has asked for its prices', () => askedOf('pricing') === 2)
  release()
  for (const { status } of await Promise.all([one, other])) expect(status).to.equal(200)
  return sent
}

/** Hands a call to whom it was for. */
function forward(origin: string): UpstreamScript {
  return (response, { method, path, headers, body }) => {
    const onward = request(origin + path, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
}
interface Collected extends Omit<CollectedSpan, 'attributes' | 'events' | 'links' | 'failed'> {
  attributes: Attribute[]
  events?: { name: string; attributes: Attribute[] }[]
  links?: { traceId: string; spanId: string; attributes: Attribute[] }[]
  status?: { code?: number }
}
interface Batch {
  resourceSpans: { scopeSpans: { spans: Collected[] }[] }[]
}

const plain = (attributes: Attribute[] = []) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  )

const spansIn = ({ resourceSpans }: Batch): CollectedSpan[] =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(spanOf)))

const spanOf = ({ attributes, events = [], links = [], status, ...span }: Collected): CollectedSpan => ({
  ...span,
  attributes: plain(attributes),
  events: events.map(({ name, attributes }) => ({ name, attributes: plain(attributes) })),
  links: links.map(({ traceId, spanId, attributes }) => ({ traceId, spanId, attributes: plain(attributes) })),
  failed: status?.code === 2,
})
