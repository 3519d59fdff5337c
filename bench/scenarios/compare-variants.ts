import { runWrk, type WrkResult } from '../load/wrk.ts'
import { cpuMs, rssMib } from '../measure/process-usage.ts'
import { median, round } from '../measure/statistics.ts'
import type { ReportTable } from '../report-table.ts'
import { captureResponse } from '../systems/captured-response.ts'
import { spawnSystem } from '../systems/spawn-system.ts'
import type { ForecourtWithStubs } from './start-forecourt-with-stubs.ts'

const HOT_CONNECTIONS = 64
const COLD_CONNECTIONS = 50
const PRODUCT = '/v1/products/HB-2210'

/** A Forecourt in one configuration; the first variant is the baseline of the others. */
export interface Variant {
  name: string
  forecourt: Pick<ForecourtWithStubs, 'pid' | 'address' | 'authorization'>
  /** Called before each round of the variant. */
  prepare?: () => Promise<void>
}
interface Round extends WrkResult {
  cpuUs: number
}
/** Runs one round of load on a variant. */
export type Load = (variant: Variant, seconds: number) => Promise<WrkResult>

export interface Comparison {
  table: ReportTable
  figures: object[]
}

/** Measures HOT for each variant, with bare node:http in every round to show the variation of the machine. */
export async function compareHotReads(variants: readonly Variant[], short: boolean): Promise<Comparison> {
  const { authorization, address } = variants[0]!.forecourt
  const sample = await captureResponse(address + PRODUCT, { authorization })
  await using bare = await spawnSystem<{ address: string }>('bare-node.ts', sample)
  const node: Variant = {
    name: 'bare node:http',
    forecourt: { pid: bare.pid, address: bare.ready.address, authorization },
  }
  const load: Load = ({ forecourt }, seconds) =>
    runWrk({ ...targetOf(forecourt), path: PRODUCT, connections: HOT_CONNECTIONS, seconds })
  const rounds = await runRounds([node, ...variants], load, short)
  return summarize('HOT: a cached product', [node, ...variants], rounds, 1)
}

/** Measures COLD for each variant: every request is for another SKU. */
export async function compareColdReads(variants: readonly Variant[], short: boolean): Promise<Comparison> {
  let run = 0
  const load: Load = ({ forecourt }, seconds) =>
    runWrk({ ...targetOf(forecourt), path: `/v1/products/COLD-${++run}-%d`, connections: COLD_CONNECTIONS, seconds })
  return compareLoads('COLD: distinct SKUs, upstreams at 0 ms', variants, load, short)
}

export const targetOf = ({ address, authorization }: Variant['forecourt']) => ({ address, headers: { authorization } })

/** Measures a load for each variant. */
export const compareLoads = async (
  title: string,
  variants: readonly Variant[],
  load: Load,
  short: boolean,
): Promise<Comparison> => summarize(title, variants, await runRounds(variants, load, short), 0)

/** Runs each variant in every round, with the order reversed in turn, so that disturbances affect all variants alike. */
async function runRounds(variants: readonly Variant[], load: Load, short: boolean): Promise<Round[][]> {
  const rounds = variants.map((): Round[] => [])
  const seconds = short ? 1 : 2
  for (const variant of variants) await load(variant, seconds)
  for (let number = 1; number <= (short ? 3 : 40); number++) {
    const order = [...variants.keys()]
    for (const index of number % 2 === 0 ? order.reverse() : order) {
      const variant = variants[index]!
      await variant.prepare?.()
      const before = cpuMs(variant.forecourt.pid)
      const measured = await load(variant, seconds)
      const cpuUs = ((cpuMs(variant.forecourt.pid) - before) * 1_000) / measured.requests
      rounds[index]!.push({ ...measured, cpuUs })
    }
  }
  return rounds
}

/** `base`: index of the variant whose figures in the same round count as 1. */
function summarize(title: string, variants: readonly Variant[], rounds: Round[][], base: number): Comparison {
  const isAlone = ({ pid }: Variant['forecourt']) =>
    variants.filter(({ forecourt }) => forecourt.pid === pid).length === 1
  const figures = variants.map(({ name, forecourt }, index) => {
    const medianOf = (value: (round: Round) => number) => median(rounds[index]!.map(value))
    const share = (value: (round: Round) => number) =>
      round(median(rounds[index]!.map((own, number) => value(own) / value(rounds[base]![number]!))), 3)
    return {
      name,
      requestsPerSecond: Math.round(medianOf(perSecond)),
      rateShare: share(perSecond),
      cpuUs: round(medianOf(({ cpuUs }) => cpuUs)),
      cpuShare: share(({ cpuUs }) => cpuUs),
      p50Ms: round(
        medianOf(({ p50 }) => p50),
        2,
      ),
      p50Share: share(({ p50 }) => p50),
      p99Ms: round(
        medianOf(({ p99 }) => p99),
        2,
      ),
      p99Share: share(({ p99 }) => p99),
      // Memory of a process that several variants share belongs to none of them.
      rssMib: isAlone(forecourt) ? Math.round(rssMib(forecourt.pid)) : '–',
      failed: rounds[index]!.reduce((sum, run) => sum + run.errorResponses + run.socketErrors, 0),
    }
  })
  const table: ReportTable = {
    title,
    note: `medians of ${rounds[0]!.length} interleaved rounds; ×: to «${variants[base]!.name}» in the same round`,
    columns: ['variant', 'req/s', '×', 'CPU us/req', '×', 'p50 ms', '×', 'p99 ms', '×', 'RSS MiB', 'failed'],
    rows: figures.map((row) => Object.values(row)),
  }
  return { table, figures }
}

const perSecond = ({ requests, durationUs }: Round) => (requests * 1e6) / durationUs
