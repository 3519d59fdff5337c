import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { requireWrk } from './load/wrk.ts'
import { print } from './print.ts'
import { formatTable } from './report-table.ts'
import type { ScenarioOptions } from './scenario.ts'
import { measureCacheMemory } from './scenarios/cache-memory.ts'
import { measureCachedReads } from './scenarios/cached-reads.ts'
import { measureCartsAndCheckouts } from './scenarios/carts-and-checkouts.ts'
import { measureColdReads, measurePacedColdReads } from './scenarios/cold-reads.ts'
import { measureDiagnosticsCost } from './scenarios/diagnostics-cost.ts'
import { measureHeavyReads } from './scenarios/heavy-reads.ts'
import { measureHostileClients } from './scenarios/hostile-clients.ts'
import { measureHungUpstream } from './scenarios/hung-upstream.ts'
import { measureMirrorReads } from './scenarios/mirror-reads.ts'
import { measureOperationsPages } from './scenarios/operations-pages.ts'
import { measurePriceChanges } from './scenarios/price-changes.ts'
import { measureSearch } from './scenarios/search.ts'
import { measureStampede } from './scenarios/stampede.ts'
import { measureTracingCost } from './scenarios/tracing-cost.ts'
import { measureWebhooks } from './scenarios/webhooks.ts'
import { measureWorkers } from './scenarios/workers.ts'
import { hasTaskset, pinToLoadCore } from './systems/core-placement.ts'

const scenarios = {
  hot: measureCachedReads,
  cold: measureColdReads,
  'cold-20': measurePacedColdReads,
  stampede: measureStampede,
  hung: measureHungUpstream,
  sweep: measureCacheMemory,
  commerce: measureCartsAndCheckouts,
  webhooks: measureWebhooks,
  diagnostics: measureDiagnosticsCost,
  tracing: measureTracingCost,
  hostile: measureHostileClients,
  search: measureSearch,
  'mirror-reads': measureMirrorReads,
  changes: measurePriceChanges,
  heavy: measureHeavyReads,
  workers: measureWorkers,
  pages: measureOperationsPages,
}
type ScenarioName = keyof typeof scenarios
const names = Object.keys(scenarios) as ScenarioName[]

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
    products: { type: 'string' },
  },
})

async function main(): Promise<void> {
  requireWrk()
  const chosen = values.only?.split(',').map((name) => name.trim()) ?? names
  const unknown = chosen.filter((name) => !names.includes(name as ScenarioName))
  if (unknown.length > 0)
    throw new Error(`--only: unknown scenario ${unknown.join(', ')}. Known scenarios: ${names.join(', ')}`)
  const options: ScenarioOptions = {
    short: values.short,
    ...(values.products && { products: Number(values.products) }),
  }
  pinToLoadCore()
  const cores = hasTaskset
    ? 'the system under test on core 0, load and upstreams on core 1'
    : 'no taskset, not pinned to cores'
  print(`Forecourt bench, ${values.short ? 'short' : 'long'} form, Node ${process.version}; ${cores}`)
  const figures: Record<string, object> = {}
  for (const name of chosen as ScenarioName[]) {
    const result = await scenarios[name](options)
    figures[name] = result.figures
    for (const table of result.tables) print(formatTable(table))
  }
  if (values.json)
    writeFileSync(values.json, `${JSON.stringify({ node: process.version, ...options, figures }, null, 2)}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  await main()
  process.exit(0)
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
