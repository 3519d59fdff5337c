import { createSeededRandom } from '../../crash/seeded-random.ts'
import { until } from '../../support/until.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { createReads, learnCatalog, type ReadKind } from './catalog-reads.ts'
import { type CheckedResponse, createResponseChecker, type OutageTimes } from './check-response.ts'
import { startKillableSystems } from './killable-systems.ts'
import { startReadLoad } from './read-load.ts'

export interface OutageSetupOptions {
  perSecond: number
  boundSeconds: number
  /** The server's own by default. */
  feedSeconds?: number
  seed?: number
}

/** The responses to one kind of read. */
export interface KindReport {
  /** From when each request was due to the end of its response. */
  latenciesMs: number[]
  /** Responses that were marked. */
  marked: number
  /** Responses in a row, up to the last one, that were marked, and that were not. */
  markedStreak: number
  unmarkedStreak: number
  /** When the request of the last marked response was sent; `null`: none was marked. */
  lastMarkedAt: number | null
}

/** A server with a filled mirror under a load of reads, whose responses are all checked, and systems to kill. */
export interface OutageSetup extends AsyncDisposable {
  readonly server: ServerProcess
  readonly times: OutageTimes
  readonly kinds: ReadonlyMap<ReadKind, KindReport>
  readonly statuses: ReadonlyMap<number, number>
  /** What was wrong, with the response. */
  readonly mistakes: readonly string[]
  /** Kills inventory and pricing. */
  kill(): Promise<void>
  /** Starts them again. */
  restore(): Promise<void>
  /** Kills the server itself and starts it again. What is read meanwhile is not checked. */
  restartServer(): Promise<void>
  /** Whether so many responses of each kind of read in a row were marked. */
  isMarked(responses: number): boolean
  /** Whether so many responses of each kind of read in a row were not marked. */
  isWhole(responses: number): boolean
}

const DYING = ['inventory', 'pricing'] as const
const NO_RESPONSES = { marked: 0, markedStreak: 0, unmarkedStreak: 0, lastMarkedAt: null }

/** A 304, or a lookup that finds nothing, has nothing to mark. */
const isEmpty = ({ kind, status, body }: CheckedResponse) =>
  status === 304 || (kind === 'lookup' && body?.data?.length === 0)

export async function startOutageSetup(options: OutageSetupOptions): Promise<OutageSetup> {
  await using stack = new AsyncDisposableStack()
  const systems = stack.use(await startKillableSystems())
  const server = stack.use(
    await startServerProcess({
      ...(options.feedSeconds && { config: { feed: { interval_seconds: options.feedSeconds } } }),
      merchant: { sandbox: systems.configured, mirror: { max_age_seconds: options.boundSeconds } },
    }),
  )
  const key = await server.issueKey('--kind', 'secret', '--mode', 'sandbox', '--rate', '1000000')
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  const get = async (path: string): Promise<any> =>
    (await fetch(server.address + path, { headers: { authorization: `Bearer ${key}` } })).json()
  await until('the mirror is filled', async () => {
    const { stdout } = await server.cli('mirror', 'status', 'acme', '--mode', 'sandbox', '--config', server.configFile)
    return stdout.includes('vehicles') && !stdout.includes('not filled')
  })
  const catalog = await learnCatalog(get)
  const times: OutageTimes = { boundMs: options.boundSeconds * 1_000, diedAt: null, backAt: null }
  const { check } = createResponseChecker(catalog.products, times)
  const kinds = new Map<ReadKind, KindReport>()
  const statuses = new Map<number, number>()
  const mistakes: string[] = []
  let checkedFrom = 0

  function onResponse(response: CheckedResponse, ms: number): void {
    const { kind, path, status, body } = response
    if (response.sentAt < checkedFrom) return
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const report = kinds.get(kind) ?? { ...NO_RESPONSES, latenciesMs: [] }
    kinds.set(kind, report)
    report.latenciesMs.push(ms)
    if (body?.errors?.length > 0) {
      report.marked += 1
      report.markedStreak += 1
      report.unmarkedStreak = 0
      report.lastMarkedAt = Math.max(report.lastMarkedAt ?? 0, response.sentAt)
    } else if (!isEmpty(response)) {
      report.unmarkedStreak += 1
      report.markedStreak = 0
    }
    for (const mistake of check(response))
      mistakes.push(`${path}: ${mistake} ${JSON.stringify({ ...times, ...response, body: body?.errors ?? body })}`)
  }

  const random = createSeededRandom(options.seed ?? 1)
  stack.use(
    startReadLoad({
      address: server.address,
      key,
      perSecond: options.perSecond,
      nextRead: createReads(catalog, random),
      onResponse,
    }),
  )
  const running = stack.move()
  return {
    server,
    times,
    kinds,
    statuses,
    mistakes,
    async kill() {
      await Promise.all(DYING.map(systems.kill))
      times.diedAt = Date.now()
    },
    async restore() {
      await Promise.all(DYING.map(systems.start))
      times.backAt = Date.now()
    },
    async restartServer() {
      checkedFrom = Number.POSITIVE_INFINITY
      await server.kill('SIGKILL')
      await server.restart()
      await until('searches run again', async () => !(await get('/v1/products?facets=brand&limit=1')).code)
      for (const report of kinds.values()) Object.assign(report, { markedStreak: 0, unmarkedStreak: 0 })
      checkedFrom = Date.now()
    },
    isMarked: (responses) => kinds.size > 0 && kinds.values().every(({ markedStreak }) => markedStreak >= responses),
    isWhole: (responses) => kinds.size > 0 && kinds.values().every(({ unmarkedStreak }) => unmarkedStreak >= responses),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
