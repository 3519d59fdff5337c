import { createLoadClient } from '../load/client.ts'
import type { ReportTable, ScenarioResult } from '../report.ts'
import {
  type BenchEnvironment,
  callDifference,
  type ScenarioOptions,
  startBenchEnvironment,
} from './bench-environment.ts'

const CALLERS = 500

/** STAMPEDE: many ask at once for what nobody has; the systems take 20 ms, so that all of them meet. */
export async function measureStampede(_scope: ScenarioOptions): Promise<ScenarioResult> {
  await using forecourt = await startBenchEnvironment({ delayMs: 20 })
  const one = await crowd(forecourt, '/v1/products/STAMPEDE-1', CALLERS)
  const page = await crowd(forecourt, '/v1/products?limit=50&offset=5000', 1)
  const pages = await crowd(forecourt, '/v1/products?limit=50&offset=9000', CALLERS)
  const figures = { oneProduct: one, onePage: page, onePageManyCallers: pages }
  const row = (name: string, of: typeof one) => [
    name,
    of.callers,
    of.calls.inventory,
    of.calls.pricing,
    of.calls.accounting,
    of.failed,
  ]
  const table: ReportTable = {
    title: 'STAMPEDE: calls that each system got',
    note: 'our own client, all requests at once over connections of their own',
    columns: ['what', 'callers', 'inventory', 'pricing', 'accounting', 'failed'],
    rows: [row('one SKU', one), row('a page of 50', page), row('a page of 50', pages)],
  }
  return { name: 'stampede', tables: [table], figures }
}

async function crowd(forecourt: BenchEnvironment, path: string, callers: number) {
  using client = createLoadClient(forecourt.address, { authorization: forecourt.authorization }, callers)
  // The connections first, so that the requests arrive together.
  await Promise.all(Array.from({ length: callers }, () => client.get('/health')))
  const before = await forecourt.upstreams()
  const answers = await Promise.all(Array.from({ length: callers }, () => client.get(path)))
  const calls = callDifference(before, await forecourt.upstreams())
  return { callers, calls, failed: answers.filter(({ status }) => status !== 200).length }
}
