import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { until } from '../../support/until.ts'
import { type OutageSetup, startOutageSetup } from './outage-setup.ts'

// Kills inventory and pricing under reads, starts them again, and prints what readers saw. Fails if a response was
// wrong, or if reads were whole too late.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '200' },
    bound: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
})

/** The time before the outage, and how much of a kind of read must be whole after it. */
const HEALTHY_MS = 20_000
const WHOLE_RESPONSES = 100
const MAX_WHOLE_MS = 5_000
const MAX_PRINTED_MISTAKES = 20

const print = (line: string) => void process.stdout.write(`${line}\n`)
const printLoad = (when: string) => print(`${when}: load ${loadavg().map((load) => load.toFixed(1))}`)

function percentile(latencies: readonly number[], share: number): string {
  const sorted = latencies.toSorted((one, other) => one - other)
  return (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
}

function printSummary({ kinds, statuses, mistakes, times }: OutageSetup, startedAt: number): void {
  const count = [...statuses.values()].reduce((sum, some) => sum + some, 0)
  print(`${count} responses, ${((count * 1_000) / (Date.now() - startedAt)).toFixed(0)} a second`)
  print(`responses by status: ${JSON.stringify(Object.fromEntries(statuses))}`)
  for (const [kind, { latenciesMs, marked }] of kinds) {
    const [p50, p99] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)]
    print(`${kind.padEnd(20)} ${latenciesMs.length} responses, ${marked} marked, p50 ${p50} ms, p99 ${p99} ms`)
  }
  for (const [kind, { lastMarkedAt }] of kinds)
    print(
      `${kind.padEnd(20)} whole ${(Math.max(0, (lastMarkedAt ?? 0) - times.backAt!) / 1_000).toFixed(1)} s after the return`,
    )
  print(`${mistakes.length} mistakes`)
  const tally = Map.groupBy(mistakes, (mistake) => mistake.slice(mistake.indexOf(': '), mistake.indexOf(' {')))
  for (const [what, all] of tally) print(`${all.length}${what}`)
  for (const mistake of mistakes.slice(0, MAX_PRINTED_MISTAKES)) print(mistake)
}

await using setup = await startOutageSetup({
  perSecond: Number(values.rate),
  boundSeconds: Number(values.bound),
  seed: Number(values.seed),
})
const startedAt = Date.now()
await pause(HEALTHY_MS)
printLoad('before the outage')
await setup.kill()
await pause(Number(values.minutes) * 60_000)
printLoad('at its end')
await setup.restore()
try {
  await until('all reads are whole', () => setup.isWhole(WHOLE_RESPONSES))
} finally {
  printSummary(setup, startedAt)
}
const isLate = setup.kinds.values().some(({ lastMarkedAt }) => (lastMarkedAt ?? 0) > setup.times.backAt! + MAX_WHOLE_MS)
if (setup.mistakes.length > 0 || isLate) process.exitCode = 1
