import { createLoadClient } from '../load/load-client.ts'
import { runOpenLoop } from '../load/open-loop.ts'
import { runWrk, type WrkResult } from '../load/wrk.ts'
import { cpuMs, rssMib } from '../measure/process-usage.ts'
import { median, quantile, round } from '../measure/statistics.ts'
import { toFiguresTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { callDifference, startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

const CONNECTIONS = 50
const PER_SECOND = 200

/** COLD: every request is for another SKU, and calls all three systems, which respond at once. */
export async function measureColdReads({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startForecourtWithStubs()
  const headers = { authorization: forecourt.authorization }
  const load = { address: forecourt.address, headers, connections: CONNECTIONS, countsIncomplete: true }
  await runWrk({ ...load, path: '/v1/products/WARM-%d', seconds: short ? 1 : 4 })
  const rounds: (WrkResult & { cpuUs: number; callsPerRequest: number })[] = []
  for (let number = 0; number < (short ? 3 : 5); number++) {
    const before = { cpu: cpuMs(forecourt.pid), calls: await forecourt.upstreams() }
    const measured = await runWrk({ ...load, path: `/v1/products/COLD-${number}-%d`, seconds: short ? 1 : 4 })
    const cpuUs = ((cpuMs(forecourt.pid) - before.cpu) * 1_000) / measured.requests
    const calls = callDifference(before.calls, await forecourt.upstreams())
    const callsPerRequest = (calls.inventory + calls.pricing + calls.accounting) / measured.requests
    rounds.push({ ...measured, cpuUs, callsPerRequest })
  }
  const medianOf = (value: (round: (typeof rounds)[number]) => number, digits = 1) =>
    round(median(rounds.map(value)), digits)
  const figures = {
    requestsPerSecond: medianOf(({ requests, durationUs }) => (requests * 1e6) / durationUs, 0),
    cpuUsPerRequest: medianOf(({ cpuUs }) => cpuUs),
    upstreamCallsPerRequest: medianOf(({ callsPerRequest }) => callsPerRequest, 3),
    completeShare: medianOf(({ requests, incomplete }) => 1 - incomplete / requests, 4),
    p50Ms: medianOf(({ p50 }) => p50),
    p99Ms: medianOf(({ p99 }) => p99),
    failed: rounds.reduce((sum, run) => sum + run.errorResponses + run.socketErrors, 0),
    rssMibAtEnd: Math.round(rssMib(forecourt.pid)),
  }
  const note = `wrk, ${CONNECTIONS} connections, medians of ${rounds.length} rounds; CPU is Forecourt's alone`
  return { name: 'cold', tables: [toFiguresTable('COLD: distinct SKUs, upstreams at 0 ms', figures, note)], figures }
}

/** COLD-20: the same with systems that take 20 ms, at an even rate. */
export async function measurePacedColdReads({ short }: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startForecourtWithStubs({ delayMs: 20 })
  using client = createLoadClient(forecourt.address, { authorization: forecourt.authorization }, 256)
  const run = (name: string, seconds: number) =>
    runOpenLoop(client, { perSecond: PER_SECOND, seconds, path: (count) => `/v1/products/${name}-${count}` })
  await run('WARM', 2)
  const rounds: { ms: number; status: number }[][] = []
  for (let number = 0; number < 3; number++)
    rounds.push((await run(`PACED-${number}`, short ? 2 : 8)).map(({ ms, status }) => ({ ms, status })))
  const latencyMs = (share: number) =>
    round(
      median(
        rounds.map((responses) =>
          quantile(
            responses.map(({ ms }) => ms),
            share,
          ),
        ),
      ),
      1,
    )
  const failed = rounds.flat().filter(({ status }) => status !== 200).length
  const figures = {
    requests: rounds.flat().length,
    p50Ms: latencyMs(0.5),
    p99Ms: latencyMs(0.99),
    maxMs: latencyMs(1),
    failed,
  }
  const note = `an open loop instead of wrk, which cannot hold a rate; each request is timed from when it was due; ${rounds.length} rounds`
  return {
    name: 'cold-20',
    tables: [toFiguresTable(`COLD-20: ${PER_SECOND} req/s, upstreams at 20 ms`, figures, note)],
    figures,
  }
}
