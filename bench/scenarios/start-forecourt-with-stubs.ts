import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ForecourtInput, ForecourtReady } from '../systems/forecourt.ts'
import { type SpawnedSystem, spawnSystem } from '../systems/spawn-system.ts'
import type { StubControl, UpstreamCallCounts } from '../systems/stub-upstreams.ts'

/** A Forecourt process with its own stub upstreams, in a temporary folder. */
export interface ForecourtWithStubs extends AsyncDisposable {
  pid: number
  address: string
  authorization: string
  process: SpawnedSystem<ForecourtReady>
  /** Controls the stubs, and returns the number of calls to each so far. */
  upstreams(control?: StubControl): Promise<UpstreamCallCounts>
}

export interface ForecourtWithStubsOptions extends Pick<ForecourtInput, 'tracing' | 'hasMirror'> {
  delayMs?: number
  cacheMib?: number
}

export async function startForecourtWithStubs({
  delayMs = 0,
  cacheMib = 256,
  ...options
}: ForecourtWithStubsOptions = {}): Promise<ForecourtWithStubs> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-bench-'))
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  stack.defer(() => {
    process.off('exit', remove)
    remove()
  })
  const stubs = stack.use(await spawnSystem<Record<string, string>>('stub-upstreams.ts', {}, 'load'))
  await stubs.request({ delayMs })
  const input: ForecourtInput = { directory, upstreams: stubs.ready, cacheMib, ...options }
  const forecourt = stack.use(await spawnSystem<ForecourtReady>('forecourt.ts', input))
  const running = stack.move()
  return {
    pid: forecourt.pid,
    address: forecourt.ready.address,
    authorization: `Bearer ${forecourt.ready.key}`,
    process: forecourt,
    upstreams: (control = {}) => stubs.request<UpstreamCallCounts>(control),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export const callDifference = (before: UpstreamCallCounts, after: UpstreamCallCounts): UpstreamCallCounts => ({
  inventory: after.inventory - before.inventory,
  pricing: after.pricing - before.pricing,
  accounting: after.accounting - before.accounting,
})
