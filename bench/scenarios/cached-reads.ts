import { runWrk, type WrkResult } from '../load/wrk.ts'
import { cpuMs, rssMib } from '../measure/process-usage.ts'
import { median, round } from '../measure/statistics.ts'
import type { ReportTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { captureResponse, sampleBody } from '../systems/captured-response.ts'
import { spawnSystem } from '../systems/spawn-system.ts'
import { type ForecourtWithStubs, startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

const CONNECTIONS = 64
const PAGE = '/v1/products?limit=50'
const PRODUCT = '/v1/products/HB-2210'

interface Contender {
  name: string
  pid: number
  address: string
}
interface Round extends WrkResult {
  cpuUs: number
}

/** HOT, REVALIDATE and a page of 50: the same response from node:http, Koa and Forecourt, measured in turn. */
export async function measureCachedReads({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startForecourtWithStubs()
  const { authorization } = forecourt
  const { headers } = await captureResponse(forecourt.address + PRODUCT, { authorization })
  const etag = headers.find(([name]) => name === 'ETag')![1]
  const measure = (title: string, path: string, extraHeaders: Record<string, string> = {}) =>
    compare(title, forecourt, path, { authorization, ...extraHeaders }, short)
  const hot = await measure('HOT: a cached product, 200', PRODUCT)
  const revalidate = await measure('REVALIDATE: the same, 304', PRODUCT, { 'if-none-match': etag })
  const page = short ? null : await measure('HOT PAGE: 50 products, br', PAGE, { 'accept-encoding': 'br' })
  return {
    name: 'hot',
    tables: [hot.table, revalidate.table, ...(page ? [page.table] : [])],
    figures: { hot: hot.figures, revalidate: revalidate.figures, page: page?.figures ?? null },
  }
}

async function compare(
  title: string,
  forecourt: ForecourtWithStubs,
  path: string,
  headers: Record<string, string>,
  short: boolean,
) {
  // The first request fills the cache; the second response comes from it.
  await captureResponse(forecourt.address + path, headers)
  const sample = await captureResponse(forecourt.address + path, headers)
  await using node = await spawnSystem<{ address: string }>('bare-node.ts', sample)
  await using koa = await spawnSystem<{ address: string }>('bare-koa.ts', sample)
  const contenders: Contender[] = [
    { name: 'bare node:http', pid: node.pid, address: node.ready.address },
    { name: 'bare Koa', pid: koa.pid, address: koa.ready.address },
    { name: 'Forecourt', pid: forecourt.pid, address: forecourt.address },
  ]
  const load = (contender: Contender, seconds: number) =>
    runWrk({ address: contender.address, path, headers, connections: CONNECTIONS, seconds })
  const rounds = contenders.map((): Round[] => [])
  for (const contender of contenders) await load(contender, short ? 1 : 3)
  for (let round = 0; round < (short ? 3 : 5); round++) {
    for (const [index, contender] of contenders.entries()) {
      const before = cpuMs(contender.pid)
      const measured = await load(contender, short ? 1 : 3)
      rounds[index]!.push({ ...measured, cpuUs: ((cpuMs(contender.pid) - before) * 1_000) / measured.requests })
    }
  }
  const bytes = Buffer.byteLength(sampleBody(sample))
  return summarize(`${title}, ${bytes} bytes of body, ${CONNECTIONS} connections`, contenders, rounds)
}

function summarize(title: string, contenders: Contender[], rounds: Round[][]) {
  const figures = contenders.map(({ name, pid }, index) => {
    const medianOf = (value: (round: Round, bare: Round) => number) =>
      median(rounds[index]!.map((round, number) => value(round, rounds[0]![number]!)))
    return {
      name,
      requestsPerSecond: Math.round(medianOf(({ requests, durationUs }) => (requests * 1e6) / durationUs)),
      ratio: round(
        medianOf((own, bare) => own.requests / own.durationUs / (bare.requests / bare.durationUs)),
        2,
      ),
      cpuUs: round(medianOf(({ cpuUs }) => cpuUs)),
      cpuRatio: round(
        medianOf((own, bare) => bare.cpuUs / own.cpuUs),
        2,
      ),
      p50Ms: round(
        medianOf(({ p50 }) => p50),
        2,
      ),
      p99Ms: round(
        medianOf(({ p99 }) => p99),
        2,
      ),
      rssMib: Math.round(rssMib(pid)),
      failed: rounds[index]!.reduce((sum, run) => sum + run.errorResponses + run.socketErrors, 0),
    }
  })
  const table: ReportTable = {
    title,
    note: `medians of ${rounds[0]!.length} interleaved rounds; ratios are to bare node:http in the same round`,
    columns: ['system', 'req/s', 'ratio', 'CPU us/req', 'CPU ratio', 'p50 ms', 'p99 ms', 'RSS MiB', 'failed'],
    rows: figures.map((row) => Object.values(row)),
  }
  return { table, figures }
}
