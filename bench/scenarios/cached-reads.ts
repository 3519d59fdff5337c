import { runWrk, type WrkResult } from '../load/wrk.ts'
import { cpuMs, rssMib } from '../measure/process-usage.ts'
import { median, round } from '../measure/statistics.ts'
import type { ReportTable, ScenarioResult } from '../report.ts'
import { captureResponse, sampleBody } from '../systems/response-sample.ts'
import { startSystem } from '../systems/spawn-process.ts'
import { type BenchEnvironment, type ScenarioOptions, startBenchEnvironment } from './bench-environment.ts'

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

/** HOT, REVALIDATE and a page of 50: the same answer from node:http, from Koa and from Forecourt, side by side. */
export async function measureCachedReads({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startBenchEnvironment()
  const { authorization } = forecourt
  const { headers } = await captureResponse(forecourt.address + PRODUCT, { authorization })
  const etag = headers.find(([name]) => name === 'ETag')![1]
  const pair = (title: string, path: string, more: Record<string, string> = {}) =>
    compare(title, forecourt, path, { authorization, ...more }, short)
  const hot = await pair('HOT: a cached product, 200', PRODUCT)
  const revalidate = await pair('REVALIDATE: the same, 304', PRODUCT, { 'if-none-match': etag })
  const page = short ? null : await pair('HOT PAGE: 50 products, br', PAGE, { 'accept-encoding': 'br' })
  return {
    name: 'hot',
    tables: [hot.table, revalidate.table, ...(page ? [page.table] : [])],
    figures: { hot: hot.figures, revalidate: revalidate.figures, page: page?.figures ?? null },
  }
}

async function compare(
  title: string,
  forecourt: BenchEnvironment,
  path: string,
  headers: Record<string, string>,
  short: boolean,
) {
  // Once to fill the cache, once for its answer from there.
  await captureResponse(forecourt.address + path, headers)
  const sample = await captureResponse(forecourt.address + path, headers)
  await using node = await startSystem<{ address: string }>('bare-node.ts', sample)
  await using koa = await startSystem<{ address: string }>('bare-koa.ts', sample)
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
    for (const [at, contender] of contenders.entries()) {
      const before = cpuMs(contender.pid)
      const measured = await load(contender, short ? 1 : 3)
      rounds[at]!.push({ ...measured, cpuUs: ((cpuMs(contender.pid) - before) * 1_000) / measured.requests })
    }
  }
  const bytes = Buffer.byteLength(sampleBody(sample))
  return summary(`${title}, ${bytes} bytes of body, ${CONNECTIONS} connections`, contenders, rounds)
}

function summary(title: string, contenders: Contender[], rounds: Round[][]) {
  const figures = contenders.map(({ name, pid }, at) => {
    const of = (value: (round: Round, bare: Round) => number) =>
      median(rounds[at]!.map((round, n) => value(round, rounds[0]![n]!)))
    return {
      name,
      requestsPerSecond: Math.round(of(({ requests, us }) => (requests * 1e6) / us)),
      ratio: round(
        of((own, bare) => own.requests / own.us / (bare.requests / bare.us)),
        2,
      ),
      cpuUs: round(of(({ cpuUs }) => cpuUs)),
      cpuRatio: round(
        of((own, bare) => bare.cpuUs / own.cpuUs),
        2,
      ),
      p50Ms: round(
        of(({ p50 }) => p50),
        2,
      ),
      p99Ms: round(
        of(({ p99 }) => p99),
        2,
      ),
      rssMib: Math.round(rssMib(pid)),
      failed: rounds[at]!.reduce((sum, { bad, broken }) => sum + bad + broken, 0),
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
