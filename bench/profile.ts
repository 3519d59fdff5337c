import { writeFileSync } from 'node:fs'
import { requireWrk, runWrk } from './load/wrk.ts'
import { type CpuProfile, type SelfTime, toSelfTimes } from './measure/cpu-self-times.ts'
import { print } from './print.ts'
import { formatTable } from './report-table.ts'
import { startForecourtWithStubs } from './scenarios/start-forecourt-with-stubs.ts'
import { ANY_PRICE, listPath, startMirroredForecourt } from './scenarios/start-mirrored-forecourt.ts'
import { pinToLoadCore } from './systems/core-placement.ts'

const WARM_UP_SECONDS = 3
const SECONDS = 5
const TOP = 25
const PRODUCTS = 50_000

const loads = {
  hot: { path: '/v1/products/HB-2210', connections: 64 },
  cold: { path: '/v1/products/PROFILE-%d', connections: 50 },
  'mirror-cold': { path: `/v1/products/SKU-%${PRODUCTS}d`, connections: 50 },
  'mirror-lists': { path: listPath(PRODUCTS) + ANY_PRICE, connections: 50 },
}

/** `node bench/profile.ts [hot|cold|mirror-cold|mirror-lists] [file]`: prints where Forecourt spends CPU time, as sampled by V8, and writes the profile to the file. */
async function main(name: string): Promise<void> {
  if (!(name in loads)) throw new Error(`unknown profile ${name}. Known profiles: ${Object.keys(loads).join(', ')}`)
  requireWrk()
  pinToLoadCore()
  const isMirrored = name.startsWith('mirror-')
  await using forecourt = isMirrored ? await startMirroredForecourt(PRODUCTS) : await startForecourtWithStubs()
  const load = {
    ...loads[name as keyof typeof loads],
    address: forecourt.address,
    headers: { authorization: forecourt.authorization },
  }
  await runWrk({ ...load, path: load.path.replace('%d', 'WARM-%d'), seconds: WARM_UP_SECONDS })
  await forecourt.process.request({ profile: 'start' })
  const { requests } = await runWrk({ ...load, from: PRODUCTS / 2, seconds: SECONDS })
  const profile = await forecourt.process.request<CpuProfile>({ profile: 'stop' })
  if (process.argv[3]) writeFileSync(process.argv[3], JSON.stringify(profile))
  const { categories, functions, busyUs } = toSelfTimes(profile)
  const row = (entry: SelfTime) => [
    entry.name,
    `${((entry.us * 100) / busyUs).toFixed(1)} %`,
    (entry.us / requests).toFixed(2),
  ]
  const columns = ['', 'of busy time', 'us/req']
  const note = `${requests} requests, ${(busyUs / requests).toFixed(1)} us of CPU each, including the sampler, without idle time`
  print(
    formatTable({ title: `${name.toUpperCase()}: self time by category`, note, columns, rows: categories.map(row) }),
  )
  print(formatTable({ title: `top ${TOP} functions by self time`, columns, rows: functions.slice(0, TOP).map(row) }))
}

try {
  await main(process.argv[2] ?? 'hot')
  process.exit(0)
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}
