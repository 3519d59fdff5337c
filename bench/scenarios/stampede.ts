import { createLoadClient } from '../load/load-client.ts'
import type { ReportTable } from '../report-table.ts'
import type { ScenarioOptions, ScenarioResult } from '../scenario.ts'
import { callDifference, type ForecourtWithStubs, startForecourtWithStubs } from './start-forecourt-with-stubs.ts'

const CALLERS = 500

/** STAMPEDE: many simultaneous requests for something that is not cached; the systems take 20 ms, so that the requests overlap. */
export async function measureStampede(_options: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startForecourtWithStubs({ delayMs: 20 })
  const one = await runStampede(forecourt, '/v1/products/STAMPEDE-1', CALLERS)
  const page = await runStampede(forecourt, '/v1/products?limit=50&offset=5000', 1)
  const pages = await runStampede(forecourt, '/v1/products?limit=50&offset=9000', CALLERS)
  const figures = { oneProduct: one, onePage: page, onePageManyCallers: pages }
  const row = (name: string, run: typeof one) => [
    name,
    run.callers,
    run.calls.inventory,
    run.calls.pricing,
    run.calls.accounting,
    run.failed,
  ]
  const table: ReportTable = {
    title: 'STAMPEDE: calls to each system',
    note: 'all requests at once, each on its own connection',
    columns: ['what', 'callers', 'inventory', 'pricing', 'accounting', 'failed'],
    rows: [row('one SKU', one), row('a page of 50', page), row('a page of 50', pages)],
  }
  return { name: 'stampede', tables: [table], figures }
}

async function runStampede(forecourt: ForecourtWithStubs, path: string, callers: number) {
  using client = createLoadClient(forecourt.address, { authorization: forecourt.authorization }, callers)
  // Connections are opened first, so that the requests arrive together.
  await Promise.all(Array.from({ length: callers }, () => client.get('/health')))
  const before = await forecourt.upstreams()
  const responses = await Promise.all(Array.from({ length: callers }, () => client.get(path)))
  const calls = callDifference(before, await forecourt.upstreams())
  return { callers, calls, failed: responses.filter(({ status }) => status !== 200).length }
}
