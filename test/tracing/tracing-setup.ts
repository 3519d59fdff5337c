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

/** A span as the collector received it, as far as tests read it; kinds and codes are those of OTLP. */
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

/** The API over systems that record their requests, with a collector when tracing is on. */
export interface TracedApi extends Api {
  /** A key of the merchant whose systems record their requests. */
  ownKey: string
  sku(index: number): string
  /** Returns the requests to the systems since the previous call. */
  takeRequests(): (ReceivedRequest & { system: System })[]
  /** Sets the script of a system; without one, requests are forwarded to it. */
  setScript(system: System, script?: UpstreamScript): void
  /** Holds the requests to a system until `release`. */
  hold(system: System): { heldCount(): number; release(): void }
  /** Stops the API and returns the spans that the collector received. */
  spans(): Promise<CollectedSpan[]>
  /** Requests to the collector. */
  collected: ReceivedRequest[]
}

export async function startTracedApi(
  tracing: Partial<TracingConfig> | null,
  options: ApiOptions = {},
  collectorScript?: UpstreamScript,
): Promise<TracedApi> {
  await using stack = new AsyncDisposableStack()
  const collector = await startScriptedUpstream(collectorScript)
  stack.defer(() => collector.close())
  const recorders = {} as Record<System, ScriptedUpstream>
  const forwarding = {} as Record<System, UpstreamScript>
  for (const system of systems) {
    recorders[system] = await startScriptedUpstream()
    stack.defer(() => recorders[system].close())
  }
  const api = stack.use(
    await startApi({
      ...options,
      ...(tracing && {
        tracing: {
          endpoint: `${collector.address}/v1/traces`,
          sample: 1,
          headers: {},
          // Long for a collector that responds: a machine that stalls for two seconds must not lose spans.
          ...(!collectorScript && { sendTimeoutMs: 60_000 }),
          ...tracing,
        },
      }),
      merchants: (systemsOf) => {
        const live = systemsOf('acme-live')
        for (const system of systems) {
          const configured = live[system]!
          forwarding[system] = forward(new URL(configured.address).origin)
          recorders[system].script = forwarding[system]
          configured.address = recorders[system].address + new URL(configured.address).pathname
        }
        return [{ merchant: 'traced', live }]
      },
    }),
  )
  const ownKey = await api.key({ merchant: 'traced', mode: 'live' })
  const key = await api.key({ mode: 'live' })
  let products: { sku: string }[] = []
  await until('products are listed', async () => {
    const { body } = await api.request('/v1/products?limit=50', { key })
    products = body.data ?? []
    return products.length > 0
  })
  const running = stack.move()
  return {
    ...api,
    ownKey,
    sku: (index) => products[index]!.sku,
    takeRequests: () =>
      systems.flatMap((system) => recorders[system].requests.splice(0).map((received) => ({ ...received, system }))),
    setScript(system, script = forwarding[system]) {
      recorders[system].script = script
    },
    hold(system) {
      const held: (() => void)[] = []
      recorders[system].script = (...args) => void held.push(() => forwarding[system](...args))
      return {
        heldCount: () => held.length,
        release() {
          recorders[system].script = forwarding[system]
          for (const forwardHeld of held) forwardHeld()
        },
      }
    },
    async spans() {
      await api.stopAndReadLog()
      return collector.requests.flatMap(({ body }) => parseBatch(JSON.parse(body) as Batch))
    },
    collected: collector.requests,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Sends two requests for one product: the second joins the first one's inventory call, and makes a pricing call of its own. Returns the upstream requests. */
export async function shareInventoryCall(api: TracedApi, path: string, first: object, second: object) {
  const { key } = await api.issueKey({ merchant: 'traced', mode: 'live', kind: 'secret' })
  const token = await api.shopperToken({ merchant: 'traced', mode: 'live' })
  api.takeRequests()
  const upstreamRequests: ReturnType<TracedApi['takeRequests']> = []
  const countRequests = (target: System) => {
    upstreamRequests.push(...api.takeRequests())
    return upstreamRequests.filter(({ system }) => system === target).length
  }
  const { release } = api.hold('inventory')
  const firstResponse = api.request(path, { key: api.ownKey, headers: { ...first } })
  await until(
    'the first request has made its calls',
    () => countRequests('inventory') === 1 && countRequests('pricing') === 1,
  )
  const secondResponse = api.request(path, { key, headers: { 'x-storefront-shopper-token': token, ...second } })
  await until('the second request has called pricing', () => countRequests('pricing') === 2)
  release()
  for (const { status } of await Promise.all([firstResponse, secondResponse])) expect(status).to.equal(200)
  return upstreamRequests
}

/** Forwards requests to a server. */
function forward(origin: string): UpstreamScript {
  return (response, { method, path, headers, body }) => {
    const outgoing = request(origin + path, { method, headers }, (incoming) => {
      response.writeHead(incoming.statusCode!, incoming.headers)
      incoming.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    outgoing.end(body)
  }
}

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
}
interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'events' | 'links' | 'failed'> {
  attributes: Attribute[]
  events?: { name: string; attributes: Attribute[] }[]
  links?: { traceId: string; spanId: string; attributes: Attribute[] }[]
  status?: { code?: number }
}
interface Batch {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[]
}

const toRecord = (attributes: Attribute[] = []) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  )

const parseBatch = ({ resourceSpans }: Batch): CollectedSpan[] =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(toCollectedSpan)))

const toCollectedSpan = ({ attributes, events = [], links = [], status, ...span }: OtlpSpan): CollectedSpan => ({
  ...span,
  attributes: toRecord(attributes),
  events: events.map(({ name, attributes }) => ({ name, attributes: toRecord(attributes) })),
  links: links.map(({ traceId, spanId, attributes }) => ({ traceId, spanId, attributes: toRecord(attributes) })),
  failed: status?.code === 2,
})
