import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { migrateStore } from '../../src/storage/migrate-store.ts'
import { createStorefrontClient, type StorefrontClient } from '../load/storefront-client.ts'
import { cpuMs } from '../measure/process-usage.ts'
import { quantile, round } from '../measure/statistics.ts'
import type { ReportTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import type { ForecourtReady } from '../systems/forecourt.ts'
import { spawnSystem } from '../systems/spawn-system.ts'

/** Cash customers: no credit limit can be reached. */
const CUSTOMERS = ['C-1009', 'C-1010', 'C-1011']
const SHOPPERS_AT_ONCE = 24
const SKUS = ['BP-1001', 'BP-1012', 'OL-1001', 'BP-1002']

type Step = 'create' | 'add line' | 'price' | 'read' | 'checkout'
type Times = Record<Step, number[]>

/** The steps of a shopper, and how many journeys begin per second; `null`: a fixed number of shoppers, one journey after another. */
interface Journey {
  read: boolean
  checkOut: boolean
  perSecond: number | null
}

const journeys: readonly Journey[] = [
  { read: false, checkOut: false, perSecond: null },
  { read: true, checkOut: false, perSecond: 300 },
  { read: true, checkOut: true, perSecond: null },
]

interface RunResult {
  store: string
  paced: boolean
  journeys: number
  perSecond: number
  cpuMsEach: number
  failed: number
  times: Times
}

/**
 * COMMERCE: shopper journeys over the embedded systems at 0 ms, each in its own process: a cart, two lines and the cart's price at full
 * speed; the same with a read at 300 per second; then with a checkout. On SQLite, and on PostgreSQL where FORECOURT_TEST_POSTGRES names an empty database.
 */
export async function measureCartsAndCheckouts({ short }: ScenarioOptions): Promise<ScenarioResult> {
  const stores = [undefined, ...(process.env.FORECOURT_TEST_POSTGRES ? [process.env.FORECOURT_TEST_POSTGRES] : [])]
  const results: RunResult[] = []
  for (const store of stores) {
    for (const journey of journeys) results.push(await run(store, journey, short ? 3 : 15))
  }
  const tables = results.map(toTable)
  const figures = results.map(({ times, ...rest }) => ({
    ...rest,
    p50Ms: Object.fromEntries(Object.entries(times).map(([step, ms]) => [step, round(quantile(ms, 0.5), 1)])),
    p99Ms: Object.fromEntries(Object.entries(times).map(([step, ms]) => [step, round(quantile(ms, 0.99), 1)])),
  }))
  return { name: 'commerce', tables, figures }
}

async function run(postgres: string | undefined, journey: Journey, seconds: number): Promise<RunResult> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-bench-'))
  stack.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const ports = { inventory: 0, pricing: 0, accounting: 0 }
  const backOffice = stack.use(await startSandbox({ directory, accounts: ['bench'], token: 'bench', ports }))
  const upstreams = Object.fromEntries(backOffice.systems.map(({ system, address }) => [system, `${address}/bench`]))
  if (postgres) await migrateStore(postgres)
  const input = { directory, upstreams, cacheMib: 64, customers: CUSTOMERS, ...(postgres && { store: postgres }) }
  const forecourt = stack.use(await spawnSystem<ForecourtReady>('forecourt.ts', input))
  const { address, secretKey, shopperTokens } = forecourt.ready
  using client = createStorefrontClient(address, secretKey, journey.perSecond === null ? SHOPPERS_AT_ONCE : 256)
  await runJourneys(client, shopperTokens, journey, 1)
  const cpuBefore = cpuMs(forecourt.pid)
  const startedAt = performance.now()
  const { times, done, failed } = await runJourneys(client, shopperTokens, journey, seconds)
  const elapsed = (performance.now() - startedAt) / 1_000
  return {
    store: postgres ? 'PostgreSQL' : 'SQLite',
    journeys: done,
    failed,
    times,
    paced: journey.perSecond !== null,
    perSecond: round(done / elapsed, 0),
    cpuMsEach: round((cpuMs(forecourt.pid) - cpuBefore) / done, 2),
  }
}

async function runJourneys(client: StorefrontClient, tokens: string[], journey: Journey, seconds: number) {
  const times: Times = { create: [], 'add line': [], price: [], read: [], checkout: [] }
  const endsAt = performance.now() + seconds * 1_000
  let done = 0
  let failed = 0

  async function step(name: Step, method: string, path: string, token: string, body?: object) {
    const response = await client.call(method, path, token, body)
    times[name].push(response.ms)
    const isPlaced = name !== 'checkout' || response.body?.state === 'placed'
    if (response.status < 200 || response.status > 299 || !isPlaced) failed += 1
    return response
  }

  async function runJourney(number: number): Promise<void> {
    const token = tokens[number % tokens.length]!
    const { body } = await step('create', 'POST', '/v1/carts', token)
    const cart = `/v1/carts/${body?.cart_id}`
    for (const sku of [SKUS[number % SKUS.length], SKUS[(number + 1) % SKUS.length]]) {
      await step('add line', 'POST', `${cart}/lines`, token, { sku, quantity: 2 })
    }
    await step('price', 'POST', `${cart}/price`, token)
    if (journey.read) await step('read', 'GET', cart, token)
    if (journey.checkOut) await step('checkout', 'POST', '/v1/checkout', token, { cart_id: body?.cart_id })
    done += 1
  }

  async function repeat(number: number): Promise<void> {
    for (let at = number; performance.now() < endsAt; at++) await runJourney(at)
  }

  async function runPaced(perSecond: number): Promise<void> {
    const startedAt = performance.now()
    const started: Promise<void>[] = []
    while (performance.now() < endsAt) {
      const due = ((performance.now() - startedAt) * perSecond) / 1_000
      while (started.length < due) started.push(runJourney(started.length))
      await pause(1)
    }
    await Promise.all(started)
  }

  if (journey.perSecond === null) await Promise.all(Array.from({ length: SHOPPERS_AT_ONCE }, (_, at) => repeat(at)))
  else await runPaced(journey.perSecond)
  return { times, done, failed }
}

function toTable({ store, paced, perSecond, cpuMsEach, failed, times }: RunResult): ReportTable {
  const walkedSteps = Object.entries(times).filter(([, ms]) => ms.length > 0)
  return {
    title: `COMMERCE on ${store}: ${perSecond} journeys/s (${walkedSteps.map(([step]) => step).join(', ')}), ${cpuMsEach} ms of CPU each`,
    note: `${paced ? 'at an even rate' : `${SHOPPERS_AT_ONCE} shoppers at once`}, one process, embedded systems at 0 ms on the other core; ${failed} failed`,
    columns: ['step', 'calls', 'p50 ms', 'p99 ms'],
    rows: walkedSteps.map(([step, ms]) => [step, ms.length, round(quantile(ms, 0.5), 1), round(quantile(ms, 0.99), 1)]),
  }
}
