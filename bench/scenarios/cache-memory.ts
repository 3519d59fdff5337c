import { runWrk } from '../load/wrk.ts'
import { rssMib } from '../measure/process-usage.ts'
import { round } from '../measure/statistics.ts'
import { type ReportTable, toFiguresTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import type { CacheUsage } from '../systems/forecourt-caches.ts'
import { spawnSystem } from '../systems/spawn-system.ts'
import { startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

const CAP_MIB = 64
const NON_CACHE_MIB = 190.7 // 200 MB
const STEPS = 10
const TIME_LIMIT_MS = 180_000

/** SWEEP: memory with many distinct cold keys, stored in the caches directly and, for a part of them, requested over HTTP. */
export async function measureCacheMemory({ short }: ScenarioOptions): Promise<ScenarioResult> {
  const keys = short ? 50_000 : 1_000_000
  const direct = await sweepCaches(keys)
  const http = await sweepHttp(short ? 3 : 30)
  const highest = Math.max(...direct.map(({ rss }) => rss))
  const figures = {
    capMib: CAP_MIB,
    boundMib: CAP_MIB + NON_CACHE_MIB,
    directKeys: direct.at(-1)!.keys,
    directHighestMib: highest,
    direct,
    http,
  }
  const table: ReportTable = {
    title: `SWEEP: ${keys} distinct keys stored directly in the response cache and the section cache (3 sections each)`,
    note: `limit ${CAP_MIB} MiB, half for each; bound ${CAP_MIB + NON_CACHE_MIB} MiB; RSS of a process that does nothing else`,
    columns: ['keys', 'RSS MiB', 'responses MiB', 'sections MiB', 'sections'],
    rows: direct.map((step) => Object.values(step)),
  }
  const { overTime, ...totals } = http
  const title = 'SWEEP over HTTP: distinct SKUs from wrk, a complete Forecourt with a limit of 64 MiB'
  return {
    name: 'sweep',
    tables: [table, toFiguresTable(title, { ...totals, rssMibOverTime: overTime.join(' ') })],
    figures,
  }
}

async function sweepCaches(keys: number) {
  await using caches = await spawnSystem<object>('forecourt-caches.ts', { capMib: CAP_MIB })
  const steps = [{ keys: 0, rss: Math.round(rssMib(caches.pid)), responseMib: 0, sectionMib: 0, entries: 0 }]
  const endsAt = performance.now() + TIME_LIMIT_MS
  for (let step = 0; step < STEPS && performance.now() < endsAt; step++) {
    const to = (keys / STEPS) * (step + 1)
    const { responseMib, sectionMib, entries } = await caches.request<CacheUsage>({ from: (keys / STEPS) * step, to })
    const rss = Math.round(rssMib(caches.pid))
    steps.push({ keys: to, rss, responseMib: round(responseMib), sectionMib: round(sectionMib), entries })
  }
  return steps
}

async function sweepHttp(seconds: number) {
  await using forecourt = await startForecourtWithStubs({ cacheMib: CAP_MIB })
  const headers = { authorization: forecourt.authorization }
  const overTime = [Math.round(rssMib(forecourt.pid))]
  const sampling = setInterval(() => overTime.push(Math.round(rssMib(forecourt.pid))), (seconds * 1_000) / STEPS)
  const load = { address: forecourt.address, headers, path: '/v1/products/SWEEP-%d', connections: 50, seconds }
  const { requests, errorResponses, socketErrors } = await runWrk(load).finally(() => clearInterval(sampling))
  const rssMibAtEnd = Math.round(rssMib(forecourt.pid))
  return {
    keys: requests,
    failed: errorResponses + socketErrors,
    rssMibAtEnd,
    boundMib: CAP_MIB + NON_CACHE_MIB,
    overTime,
  }
}
