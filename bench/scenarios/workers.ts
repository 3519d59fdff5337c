import { cpus } from 'node:os'
import { runWrk, type WrkOptions } from '../load/wrk.ts'
import { median, round } from '../measure/statistics.ts'
import type { ReportTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { type ServerWithWorkers, startServerWithWorkers } from '../systems/server-with-workers.ts'
import { spawnSystem } from '../systems/spawn-system.ts'

const CONNECTIONS = 64
const PORT = Number(process.env.FORECOURT_BENCH_PORT ?? 28_180)

interface Round {
  requestsPerSecond: number
  /** CPU time of all processes of the server, for a request. */
  cpuUs: number
  /** How many cores the server got. */
  cores: number
  /** The CPU time of the busiest worker, as a share of that of all workers. */
  busiest: number
  failed: number
}

type Target = Pick<WrkOptions, 'path'>

/**
 * WORKERS: one worker and two, in turn. CPU per request shows what more cores would serve: with a core for each worker, and the load elsewhere, two
 * workers serve 2 × (CPU of one) / (CPU of two) times the requests of one.
 */
export async function measureWorkers({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using stack = new AsyncDisposableStack()
  const stubs = stack.use(await spawnSystem<Record<string, string>>('stub-upstreams.ts', {}, 'load'))
  const one = stack.use(await startServerWithWorkers(1, stubs.ready, PORT))
  const two = stack.use(await startServerWithWorkers(2, stubs.ready, PORT + 1))
  let run = 0
  const hot = await compare('a cached product', [one, two], () => ({ path: '/v1/products/HB-2210' }), short)
  const cold = await compare('distinct SKUs', [one, two], () => ({ path: `/v1/products/COLD-${++run}-%d` }), short)
  return { name: 'workers', tables: [hot.table, cold.table], figures: { hot: hot.figures, cold: cold.figures } }
}

async function compare(what: string, servers: readonly ServerWithWorkers[], target: () => Target, short: boolean) {
  const rounds = servers.map((): Round[] => [])
  for (let number = 0; number <= (short ? 3 : 15); number++) {
    for (const [index, server] of servers.entries()) {
      const measured = await measureRound(server, target(), short ? 1 : 3)
      // The first round warms up.
      if (number > 0) rounds[index]!.push(measured)
    }
  }
  const figures = rounds.map((own, index) => {
    const medianOf = (value: (round: Round, one: Round) => number, digits: number) =>
      round(median(own.map((round, number) => value(round, rounds[0]![number]!))), digits)
    return {
      workers: index + 1,
      requestsPerSecond: medianOf(({ requestsPerSecond }) => requestsPerSecond, 0),
      rateRatio: medianOf(({ requestsPerSecond }, one) => requestsPerSecond / one.requestsPerSecond, 2),
      cpuUs: medianOf(({ cpuUs }) => cpuUs, 1),
      cpuBoundRatio: medianOf(({ cpuUs }, one) => ((index + 1) * one.cpuUs) / cpuUs, 2),
      cores: medianOf(({ cores }) => cores, 2),
      busiest: medianOf(({ busiest }) => busiest, 2),
      failed: own.reduce((sum, { failed }) => sum + failed, 0),
    }
  })
  const table: ReportTable = {
    title: `WORKERS: ${what}, ${CONNECTIONS} connections`,
    note: `medians of ${rounds[0]!.length} interleaved rounds. The machine has ${cpus().length} cores for workers, load and upstreams; with a core for each worker, the CPU per request allows «CPU-bound ×»`,
    columns: ['workers', 'req/s', '×', 'CPU us/req', 'CPU-bound ×', 'cores used', 'busiest', 'failed'],
    rows: figures.map((row) => Object.values(row)),
  }
  return { table, figures }
}

async function measureRound(server: ServerWithWorkers, target: Target, seconds: number): Promise<Round> {
  const { address, authorization } = server
  const before = server.cpuMs()
  const options = { address, headers: { authorization }, connections: CONNECTIONS, seconds, ...target }
  const { requests, durationUs, errorResponses, socketErrors } = await runWrk(options)
  const used = server.cpuMs().map((ms, index) => ms - before[index]!)
  const workers = used.slice(1)
  const totalMs = used.reduce((sum, ms) => sum + ms, 0)
  return {
    requestsPerSecond: (requests * 1e6) / durationUs,
    cpuUs: (totalMs * 1_000) / requests,
    cores: (totalMs * 1_000) / durationUs,
    busiest: Math.max(...workers) / workers.reduce((sum, ms) => sum + ms, 0),
    failed: errorResponses + socketErrors,
  }
}
