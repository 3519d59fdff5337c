import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrateStore } from '../../src/storage/database.ts'
import { runWrk } from '../load/wrk.ts'
import { cpuMs } from '../measure/process-usage.ts'
import { quantile, round } from '../measure/statistics.ts'
import { type ScenarioResult, toFiguresTable } from '../report.ts'
import type { EventLoad, ForecourtReady } from '../systems/forecourt.ts'
import { captureResponse } from '../systems/response-sample.ts'
import { type SpawnedSystem, startSystem } from '../systems/spawn-process.ts'
import type { ArrivalTimes, ReceiversReady } from '../systems/webhook-receivers.ts'
import type { ScenarioOptions } from './bench-environment.ts'

/** As many as a merchant may have. */
const ENDPOINTS = 20
/** One in ten hangs. */
const HUNG = 2
const PRODUCT = '/v1/products/HB-2210'

/**
 * WEBHOOKS: events of one process for 20 endpoints. As fast as it goes to quick ones; at an even pace with two that hang, the time
 * from commit to the first byte at a quick one; and a cached product read while 200 deliveries a second go out, against the same without.
 */
export async function measureWebhooks({ short }: ScenarioOptions): Promise<ScenarioResult> {
  const stores = [undefined, ...(process.env.FORECOURT_TEST_POSTGRES ? [process.env.FORECOURT_TEST_POSTGRES] : [])]
  const found = []
  for (const store of stores) found.push(await onStore(store, short))
  return { name: 'webhooks', tables: found.map(({ table }) => table), figures: found.map(({ figures }) => figures) }
}

async function onStore(postgres: string | undefined, short: boolean) {
  const seconds = short ? 5 : 20
  if (postgres) await migrateStore(postgres)
  const full = await sustained(postgres, seconds)
  const paced = await withHung(postgres, seconds)
  const reads = postgres ? {} : await besideReads(seconds)
  const figures = { ...full, ...paced, ...reads }
  const name = postgres ? 'PostgreSQL' : 'SQLite'
  const table = toFiguresTable(
    `WEBHOOKS on ${name}`,
    figures,
    `one process on one core, ${ENDPOINTS} endpoints on the other`,
  )
  return { table, figures: { store: name, ...figures } }
}

/** More events than it can send at once, until all are delivered. */
async function sustained(store: string | undefined, seconds: number) {
  await using stage = await begin(store, { quick: ENDPOINTS, hung: 0 })
  const events = 60 * seconds
  const cpu = cpuMs(stage.forecourt.pid)
  const startedAt = performance.now()
  await stage.forecourt.ask<object>({ events, perSecond: null } satisfies EventLoad)
  const total = events * ENDPOINTS
  while ((await stage.receivers.ask<number>({})) < total) await pause(20)
  const elapsed = (performance.now() - startedAt) / 1_000
  return {
    'deliveries/s sustained, events written beside': Math.round(total / elapsed),
    'CPU ms a delivery': round((cpuMs(stage.forecourt.pid) - cpu) / total, 2),
  }
}

async function withHung(store: string | undefined, seconds: number) {
  await using stage = await begin(store, { quick: ENDPOINTS - HUNG, hung: HUNG })
  const perSecond = 50
  const committed = await stage.forecourt.ask<Record<string, number>>({ events: perSecond * seconds, perSecond })
  await pause(1_500)
  const arrivals = await stage.receivers.ask<ArrivalTimes>({ take: true })
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

/** The read's own CPU cannot be told from the deliveries': what is compared is requests a second, in turns. */
async function besideReads(seconds: number) {
  await using stage = await begin(undefined, { quick: ENDPOINTS, hung: 0 })
  const { address, key } = stage.forecourt.ready
  const headers = { authorization: `Bearer ${key}` }
  await captureResponse(address + PRODUCT, headers)
  const read = () => runWrk({ address, path: PRODUCT, headers, connections: 64, seconds: 1 })
  await read()
  const rates = { quiet: [] as number[], busy: [] as number[] }
  for (let turn = 0; turn < Math.ceil(seconds / 3); turn++) {
    const quiet = await read()
    rates.quiet.push((quiet.requests * 1e6) / quiet.us)
    const sending = stage.forecourt.ask<object>({ events: 11, perSecond: 10 } satisfies EventLoad)
    const busy = await read()
    rates.busy.push((busy.requests * 1e6) / busy.us)
    await sending
    await pause(200)
  }
  const [quiet, busy] = [quantile(rates.quiet, 0.5), quantile(rates.busy, 0.5)]
  return {
    'cached reads/s': Math.round(quiet),
    'cached reads/s beside 200 deliveries/s': Math.round(busy),
    'of the reads without': round(busy / quiet, 2),
  }
}

interface Running extends AsyncDisposable {
  forecourt: SpawnedSystem<ForecourtReady>
  receivers: SpawnedSystem<ReceiversReady>
}

async function begin(store: string | undefined, endpoints: { quick: number; hung: number }): Promise<Running> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-bench-'))
  stack.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const receivers = stack.use(await startSystem<ReceiversReady>('webhook-receivers.ts', endpoints, 'load'))
  const upstreams = stack.use(await startSystem<Record<string, string>>('stub-upstreams.ts', {}, 'load'))
  const input = { directory, upstreams: upstreams.ready, cacheMib: 64, ...(store && { store }) }
  const forecourt = stack.use(await startSystem<ForecourtReady>('forecourt.ts', input))
  const subscriptions: string[] = []
  for (const url of [...receivers.ready.quick, ...receivers.ready.hung])
    subscriptions.push(await subscribed(forecourt.ready, url))
  stack.defer(async () => {
    for (const id of subscriptions) await call(forecourt.ready, 'DELETE', `/v1/webhooks/${id}`)
  })
  const moved = stack.move()
  return { forecourt, receivers, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

async function subscribed(ready: ForecourtReady, endpoint_url: string): Promise<string> {
  const { subscription_id } = await call(ready, 'POST', '/v1/webhooks', { endpoint_url, event_types: ['*'] })
  return String(subscription_id)
}

async function call({ address, secretKey }: ForecourtReady, method: string, path: string, body?: object) {
  const reply = await fetch(address + path, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (reply.status === 204 ? {} : await reply.json()) as Record<string, unknown>
}
