import { runWrk, type WrkResult } from '../load/wrk.ts'
import { cpuMs, rssMib } from '../measure/process-usage.ts'
import { median, round } from '../measure/statistics.ts'
import type { ReportTable } from '../report.ts'
import { captureResponse } from '../systems/response-sample.ts'
import { startSystem } from '../systems/spawn-process.ts'
import type { BenchEnvironment } from './bench-environment.ts'

const HOT_CONNECTIONS = 64
const COLD_CONNECTIONS = 50
const PRODUCT = '/v1/products/HB-2210'

/** A Forecourt in one form or another; the first of several is what the others are measured by. */
export interface Variant {
  name: string
  forecourt: Pick<BenchEnvironment, 'pid' | 'address' | 'authorization'>
  /** Before each of its rounds. */
  enter?: () => Promise<void>
}
interface Round extends WrkResult {
  cpuUs: number
}
type Load = (form: Variant, seconds: number) => Promise<WrkResult>

export interface Comparison {
  table: ReportTable
  figures: object[]
}

/** HOT of each form, with bare node:http in every round to tell the machine's own ups and downs. */
export async function compareHotReads(forms: readonly Variant[], short: boolean): Promise<Comparison> {
  const { authorization, address } = forms[0]!.forecourt
  const sample = await captureResponse(address + PRODUCT, { authorization })
  await using bare = await startSystem<{ address: string }>('bare-node.ts', sample)
  const node: Variant = {
    name: 'bare node:http',
    forecourt: { pid: bare.pid, address: bare.ready.address, authorization },
  }
  const load: Load = ({ forecourt }, seconds) =>
    runWrk({ ...loadOf(forecourt), path: PRODUCT, connections: HOT_CONNECTIONS, seconds })
  const rounds = await inTurns([node, ...forms], load, short)
  return compared('HOT: a cached product', [node, ...forms], rounds, 1)
}

/** COLD of each form: every request for a SKU of its own. */
export async function compareColdReads(forms: readonly Variant[], short: boolean): Promise<Comparison> {
  let run = 0
  const load: Load = ({ forecourt }, seconds) =>
    runWrk({ ...loadOf(forecourt), path: `/v1/products/COLD-${++run}-%d`, connections: COLD_CONNECTIONS, seconds })
  return compared('COLD: distinct SKUs, upstreams at 0 ms', forms, await inTurns(forms, load, short), 0)
}

const loadOf = ({ address, authorization }: Variant['forecourt']) => ({ address, headers: { authorization } })

/** Each form in every round, in one order and then in the other: what comes and goes on the machine befalls all of them alike. */
async function inTurns(forms: readonly Variant[], load: Load, short: boolean): Promise<Round[][]> {
  const rounds = forms.map((): Round[] => [])
  const seconds = short ? 1 : 2
  for (const form of forms) await load(form, seconds)
  for (let n = 1; n <= (short ? 3 : 40); n++) {
    const order = [...forms.keys()]
    for (const at of n % 2 === 0 ? order.reverse() : order) {
      const form = forms[at]!
      await form.enter?.()
      const before = cpuMs(form.forecourt.pid)
      const measured = await load(form, seconds)
      const cpuUs = ((cpuMs(form.forecourt.pid) - before) * 1_000) / measured.requests
      rounds[at]!.push({ ...measured, cpuUs })
    }
  }
  return rounds
}

/** `base`: the form whose figure in the same round is 1. */
function compared(title: string, forms: readonly Variant[], rounds: Round[][], base: number): Comparison {
  const isAlone = ({ pid }: Variant['forecourt']) => forms.filter(({ forecourt }) => forecourt.pid === pid).length === 1
  const figures = forms.map(({ name, forecourt }, at) => {
    const of = (value: (round: Round) => number) => median(rounds[at]!.map(value))
    const share = (value: (round: Round) => number) =>
      round(median(rounds[at]!.map((own, n) => value(own) / value(rounds[base]![n]!))), 3)
    return {
      name,
      requestsPerSecond: Math.round(of(perSecond)),
      rateShare: share(perSecond),
      cpuUs: round(of(({ cpuUs }) => cpuUs)),
      cpuShare: share(({ cpuUs }) => cpuUs),
      p50Ms: round(
        of(({ p50 }) => p50),
        2,
      ),
      p50Share: share(({ p50 }) => p50),
      p99Ms: round(
        of(({ p99 }) => p99),
        2,
      ),
      p99Share: share(({ p99 }) => p99),
      // Of a process that has several forms in turn, it says nothing of one of them.
      rssMib: isAlone(forecourt) ? Math.round(rssMib(forecourt.pid)) : '–',
      failed: rounds[at]!.reduce((sum, { bad, broken }) => sum + bad + broken, 0),
    }
  })
  const table: ReportTable = {
    title,
    note: `medians of ${rounds[0]!.length} interleaved rounds; ×: to «${forms[base]!.name}» in the same round`,
    columns: ['form', 'req/s', '×', 'CPU us/req', '×', 'p50 ms', '×', 'p99 ms', '×', 'RSS MiB', 'failed'],
    rows: figures.map((row) => Object.values(row)),
  }
  return { table, figures }
}

const perSecond = ({ requests, us }: Round) => (requests * 1e6) / us
