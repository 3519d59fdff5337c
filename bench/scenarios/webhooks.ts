import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrateStore } from '../../src/storage/migrate-store.ts'
import { runWrk } from '../load/wrk.ts'
import { cpuMs } from '../measure/process-usage.ts'
import { quantile, round } from '../measure/statistics.ts'
import { toFiguresTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import type { EventLoad } from '../systems/append-events.ts'
import { captureResponse } from '../systems/captured-response.ts'
import type { ForecourtReady } from '../systems/forecourt.ts'
import { type SpawnedSystem, spawnSystem } from '../systems/spawn-system.ts'
import type { ArrivalTimes, ReceiversReady } from '../systems/webhook-receivers.ts'

/** The most that a merchant may have. */
const ENDPOINTS = 20
/** One in ten hangs. */
const HUNG = 2
const PRODUCT = '/v1/products/HB-2210'

/**
 * WEBHOOKS: one process sends events to 20 endpoints: at full speed to quick ones; at an even rate with two that hang, timed from commit
 * to the first byte at a quick one; and cached product reads with and without 200 deliveries per second.
 */
export async function measureWebhooks({ short }: ScenarioOptions): Promise<ScenarioResult> {
  const stores = [undefined, ...(process.env.FORECOURT_TEST_POSTGRES ? [process.env.FORECOURT_TEST_POSTGRES] : [])]
  const results = []
  for (const store of stores) results.push(await measureStore(store, short))
  return { name: 'webhooks', tables: results.map(({ table }) => table), figures: results.map(({ figures }) => figures) }
}

async function measureStore(postgres: string | undefined, short: boolean) {
  const seconds = short ? 5 : 20
  if (postgres) await migrateStore(postgres)
  const throughput = await measureThroughput(postgres, seconds)
  const delay = await measureDelay(postgres, seconds)
  const reads = postgres ? {} : await measureReads(seconds)
  const figures = { ...throughput, ...delay, ...reads }
  const name = postgres ? 'PostgreSQL' : 'SQLite'
  const table = toFiguresTable(
    `WEBHOOKS on ${name}`,
    figures,
    `one process on one core, ${ENDPOINTS} endpoints on the other`,
  )
  return { table, figures: { store: name, ...figures } }
}

/** Creates events faster than they can be sent, and waits until all are delivered. */
async function measureThroughput(store: string | undefined, seconds: number) {
  await using setup = await startSetup(store, { quick: ENDPOINTS, hung: 0 })
  const events = 60 * seconds
  const cpu = cpuMs(setup.forecourt.pid)
  const startedAt = performance.now()
  await setup.forecourt.request<object>({ events, perSecond: null } satisfies EventLoad)
  const total = events * ENDPOINTS
  while ((await setup.receivers.request<number>({})) < total) await pause(20)
  const elapsed = (performance.now() - startedAt) / 1_000
  return {
    'deliveries/s sustained, while events are written': Math.round(total / elapsed),
    'CPU ms per delivery': round((cpuMs(setup.forecourt.pid) - cpu) / total, 2),
  }
}

async function measureDelay(store: string | undefined, seconds: number) {
  await using setup = await startSetup(store, { quick: ENDPOINTS - HUNG, hung: HUNG })
  const perSecond = 50
  const committed = await setup.forecourt.request<Record<string, number>>({ events: perSecond * seconds, perSecond })
  await pause(1_500)
  const arrivals = await setup.receivers.request<ArrivalTimes>({ take: true })
  const waits = Object.entries(arrivals).flatMap(([key, at]) => {
    const commit = committed[key.slice(0, key.indexOf(' '))]
    return commit === undefined ? [] : [at - commit]
  })
  const expected = Object.keys(committed).length * (ENDPOINTS - HUNG)
  return {
    [`commit to first byte at ${perSecond * ENDPOINTS} deliveries/s, ${HUNG} endpoints hung: p50 ms`]: round(
      quantile(waits, 0.5),
    ),
    'the same, p99 ms': round(quantile(waits, 0.99)),
    'not arrived': expected - waits.length,
  }
}

/** Compares requests per second with and without deliveries, in turn: the CPU time of reads alone cannot be measured. */
async function measureReads(seconds: number) {
  await using setup = await startSetup(undefined, { quick: ENDPOINTS, hung: 0 })
  const { address, key } = setup.forecourt.ready
  const headers = { authorization: `Bearer ${key}` }
  await captureResponse(address + PRODUCT, headers)
  const read = () => runWrk({ address, path: PRODUCT, headers, connections: 64, seconds: 1 })
  await read()
  const rates = { quiet: [] as number[], busy: [] as number[] }
  for (let turn = 0; turn < Math.ceil(seconds / 3); turn++) {
    const quiet = await read()
    rates.quiet.push((quiet.requests * 1e6) / quiet.durationUs)
    const sending = setup.forecourt.request<object>({ events: 11, perSecond: 10 } satisfies EventLoad)
    const busy = await read()
    rates.busy.push((busy.requests * 1e6) / busy.durationUs)
    await sending
    await pause(200)
  }
  const [quiet, busy] = [quantile(rates.quiet, 0.5), quantile(rates.busy, 0.5)]
  return {
    'cached reads/s': Math.round(quiet),
    'cached reads/s during 200 deliveries/s': Math.round(busy),
    'share of the reads without deliveries': round(busy / quiet, 2),
  }
}

interface WebhookSetup extends AsyncDisposable {
  forecourt: SpawnedSystem<ForecourtReady>
  receivers: SpawnedSystem<ReceiversReady>
}

async function startSetup(
  store: string | undefined,
  endpoints: { quick: number; hung: number },
): Promise<WebhookSetup> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-bench-'))
  stack.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const receivers = stack.use(await spawnSystem<ReceiversReady>('webhook-receivers.ts', endpoints, 'load'))
  const upstreams = stack.use(await spawnSystem<Record<string, string>>('stub-upstreams.ts', {}, 'load'))
  const input = { directory, upstreams: upstreams.ready, cacheMib: 64, ...(store && { store }) }
  const forecourt = stack.use(await spawnSystem<ForecourtReady>('forecourt.ts', input))
  const subscriptions: string[] = []
  for (const url of [...receivers.ready.quick, ...receivers.ready.hung])
    subscriptions.push(await subscribe(forecourt.ready, url))
  stack.defer(async () => {
    for (const id of subscriptions) await call(forecourt.ready, 'DELETE', `/v1/webhooks/${id}`)
  })
  const running = stack.move()
  return { forecourt, receivers, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function subscribe(ready: ForecourtReady, endpoint_url: string): Promise<string> {
  const { subscription_id } = await call(ready, 'POST', '/v1/webhooks', { endpoint_url, event_types: ['*'] })
  return String(subscription_id)
}

async function call({ address, secretKey }: ForecourtReady, method: string, path: string, body?: object) {
  const response = await fetch(address + path, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (response.status === 204 ? {} : await response.json()) as Record<string, unknown>
}
