import { setTimeout as pause } from 'node:timers/promises'
import { createLoadClient, type LoadClient, type TimedResponse } from '../load/load-client.ts'
import { runOpenLoop } from '../load/open-loop.ts'
import { cpuMs } from '../measure/process-usage.ts'
import { median, quantile, round } from '../measure/statistics.ts'
import { toFiguresTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { CHANGES_PER_PAGE, type PriceChanges, toPriceChange } from '../systems/store-price-changes.ts'
import type { ForecourtWithStubs } from './start-forecourt-with-stubs.ts'
import { startMirroredForecourt } from './start-mirrored-forecourt.ts'

const CHANGES_PER_SECOND = 1_000
const READS_PER_SECOND = 200
/** Shoppers read these products, and their prices change. */
const POPULAR = 5_000
/** Every tenth page is watched, so that watching is a small part of the load. */
const WATCHED = 10 * CHANGES_PER_PAGE
const POLL_MS = 20
const GIVE_UP_MS = 10_000

interface Phase {
  ms: number[]
  failed: number
  cpuMs: number
  loop: { p99Ms: number; maxMs: number }
}

/** CHANGES: new prices into the store, as the change feed writes them, while products are read. */
export async function measurePriceChanges({ short, ...options }: ScenarioOptions): Promise<ScenarioResult> {
  const products = options.products ?? (short ? 20_000 : 200_000)
  const seconds = short ? 3 : 10
  await using forecourt = await startMirroredForecourt(products)
  using client = createLoadClient(forecourt.address, { authorization: forecourt.authorization }, 256)
  await runPhase(forecourt, client, 2)
  const quiet: Phase[] = []
  const busy: Phase[] = []
  const delaysMs: number[] = []
  for (let number = 0; number < (short ? 3 : 5); number++) {
    quiet.push(await runPhase(forecourt, client, seconds))
    const prices = CHANGES_PER_SECOND * seconds
    const changes = { from: number * prices, prices, perSecond: CHANGES_PER_SECOND, among: POPULAR }
    await forecourt.process.request(changes)
    const seen = watch(client, changes)
    busy.push(await runPhase(forecourt, client, seconds))
    const committed = await forecourt.process.request<number[]>({ committed: true })
    const isWatched = (_: number, page: number) => (page * CHANGES_PER_PAGE) % WATCHED === 0
    delaysMs.push(...(await subtract(seen, committed.filter(isWatched))))
  }
  const figures = toFigures(quiet, busy, delaysMs, CHANGES_PER_SECOND * seconds)
  const note = `${CHANGES_PER_SECOND} changes per second straight into the store, in pages of ${CHANGES_PER_PAGE}; ${READS_PER_SECOND} reads per second of ${POPULAR} products in an open loop; ${quiet.length} rounds with and without changes`
  return { name: 'changes', tables: [toFiguresTable('CHANGES: new list prices', figures, note)], figures }
}

async function runPhase({ process, pid }: ForecourtWithStubs, client: LoadClient, seconds: number): Promise<Phase> {
  const before = cpuMs(pid)
  await process.request({ loop: 'start' })
  const path = (count: number) => `/v1/products/SKU-${1 + ((count * 7_919) % POPULAR)}`
  const responses = await runOpenLoop(client, { perSecond: READS_PER_SECOND, seconds, path })
  return {
    ms: responses.map(({ ms }) => ms),
    failed: responses.filter(({ status }) => status !== 200).length,
    cpuMs: cpuMs(pid) - before,
    loop: await process.request({ loop: 'stop' }),
  }
}

/** Returns when each watched change was seen in a response, on the clock that all processes share. */
function watch(client: LoadClient, { from, prices, perSecond, among }: PriceChanges): Promise<number>[] {
  return Array.from({ length: prices / WATCHED }, async (_, index) => {
    const first = index * WATCHED
    const { sku, amount } = toPriceChange(from + first, among)
    await pause((first * 1_000) / perSecond)
    const giveUpAt = performance.now() + GIVE_UP_MS
    while (!hasAmount(await client.get(`/v1/products/${sku}`), amount)) {
      if (performance.now() > giveUpAt) return Number.POSITIVE_INFINITY
      await pause(POLL_MS)
    }
    return performance.timeOrigin + performance.now()
  })
}

const hasAmount = ({ status, body }: TimedResponse, amount: string) =>
  status === 200 && body.includes(`"price":{"amount":"${amount}"`)

async function subtract(seen: readonly Promise<number>[], committed: readonly number[]): Promise<number[]> {
  const times = await Promise.all(seen)
  // A change may be seen before the writer knows that it is committed.
  return times.map((time, index) => Math.max(0, time - committed[index]!))
}

function toFigures(quiet: readonly Phase[], busy: readonly Phase[], delaysMs: readonly number[], changes: number) {
  const readMs = (phases: readonly Phase[], share: number) =>
    round(median(phases.map(({ ms }) => quantile(ms, share))), 2)
  const medianOf = (phases: readonly Phase[], value: (phase: Phase) => number) => round(median(phases.map(value)))
  const [quietP99, busyP99] = [readMs(quiet, 0.99), readMs(busy, 0.99)]
  return {
    visibleAfterP50Ms: Math.round(quantile(delaysMs, 0.5)),
    visibleAfterP99Ms: Math.round(quantile(delaysMs, 0.99)),
    readP50Ms: `${readMs(quiet, 0.5)} without, ${readMs(busy, 0.5)} with changes`,
    readP99Ms: `${quietP99} without, ${busyP99} with changes`,
    readP99Ratio: round(busyP99 / quietP99, 2),
    cpuUsPerChange: round(
      ((medianOf(busy, ({ cpuMs }) => cpuMs) - medianOf(quiet, ({ cpuMs }) => cpuMs)) * 1_000) / changes,
    ),
    loopDelayP99Ms: `${medianOf(quiet, ({ loop }) => loop.p99Ms)} without, ${medianOf(busy, ({ loop }) => loop.p99Ms)} with changes`,
    loopDelayMaxMs: `${medianOf(quiet, ({ loop }) => loop.maxMs)} without, ${medianOf(busy, ({ loop }) => loop.maxMs)} with changes`,
    failed: [...quiet, ...busy].reduce((sum, { failed }) => sum + failed, 0),
  }
}
