import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { requireWrk } from './load/wrk.ts'
import { printed, say } from './report.ts'
import { cached } from './scenarios/cached-reads.ts'
import { cold, coldPaced } from './scenarios/cold-reads.ts'
import { commerce } from './scenarios/commerce.ts'
import { diagnostics } from './scenarios/diagnostics-cost.ts'
import { oneHung } from './scenarios/hung-upstream.ts'
import type { Scope } from './scenarios/bench-environment.ts'
import { stampede } from './scenarios/stampede.ts'
import { sweep } from './scenarios/cache-memory.ts'
import { tracing } from './scenarios/tracing-cost.ts'
import { webhooks } from './scenarios/webhooks.ts'
import { hasTaskset, stepAside } from './systems/spawn-process.ts'

const scenarios = {
  ...{ hot: cached, cold, 'cold-20': coldPaced, stampede, hung: oneHung, sweep, commerce, webhooks },
  ...{ diagnostics, tracing },
}
type Name = keyof typeof scenarios
const names = Object.keys(scenarios) as Name[]

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: { type: 'string' }, json: { type: 'string' } },
})

async function main(): Promise<void> {
  requireWrk()
  const chosen = values.only?.split(',').map((name) => name.trim()) ?? names
  const unknown = chosen.filter((name) => !names.includes(name as Name))
  if (unknown.length > 0) throw new Error(`--only knows ${names.join(', ')}; not ${unknown.join(', ')}`)
  const scope: Scope = { short: values.short }
  stepAside()
  const cores = hasTaskset ? 'the system under test on core 0, load and upstreams on core 1' : 'no taskset: not pinned'
  say(`Forecourt bench, ${values.short ? 'short' : 'long'} form, Node ${process.version}; ${cores}`)
  const figures: Record<string, object> = {}
  for (const name of chosen as Name[]) {
    const found = await scenarios[name](scope)
    figures[name] = found.figures
    for (const table of found.tables) say(printed(table))
  }
  if (values.json)
    writeFileSync(values.json, `${JSON.stringify({ node: process.version, ...scope, figures }, null, 2)}\n`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
try {
  await main()
  process.exit(0)
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
