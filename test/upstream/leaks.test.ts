import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { createFairCache } from '../../src/cache/fair-cache.ts'
import { createHttpClient } from '../../src/upstream/client/http-client.ts'
import { createGuard, guardDefaults } from '../../src/upstream/guard/guard.ts'
import { createReadStack } from '../../src/upstream/read-stack/read-stack.ts'
import type { CachedValue } from '../../src/upstream/read-stack/value-cache.ts'
import { createRequestScope } from '../../src/upstream/request/request-scope.ts'
import { createCall } from '../support/create-call.ts'
import {
  hang,
  respondJson,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamScript,
} from '../support/scripted-upstream.ts'
import { untilTrue } from '../support/until.ts'

const GET = { method: 'GET' as const, path: '/x' }

describe('thousands of calls, many of them abandoned', () => {
  let upstream: ScriptedUpstream
  let client: ReturnType<typeof createHttpClient>
  const unhandled: unknown[] = []
  const onUnhandled = (reason: unknown) => void unhandled.push(reason)

  before(async () => {
    upstream = await startScriptedUpstream()
    client = createHttpClient({ address: upstream.address, maxSockets: 16, maxResponseBytes: 10_000 })
    process.on('unhandledRejection', onUnhandled)
  })
  after(async () => {
    process.off('unhandledRejection', onUnhandled)
    await client[Symbol.asyncDispose]()
    await upstream.close()
  })

  /** In turn: an answer, none, an error, half of one, a cut connection, far too much. */
  const scripts: UpstreamScript[] = [
    respondJson({ ok: true }),
    hang,
    respondJson({}, 500),
    (response) => void response.writeHead(200).write('{'),
    (response) => void response.destroy(),
    (response) => void response.end(Buffer.alloc(20_000, 'x')),
  ]

  function started(count: number) {
    let at = 0
    upstream.script = (...call) => scripts[at++ % scripts.length]!(...call)
    const guard = createGuard('pricing', {
      ...guardDefaults,
      concurrency: 16,
      queue: 10_000,
      timeoutMs: 2_000,
      minimumCalls: 1_000_000,
      streakLength: 1_000_000,
    })
    const cache = createFairCache<CachedValue>(100_000)
    const loader = createReadStack<string, string>({
      system: 'pricing',
      tenantKey: 'acme/live',
      name: 'price',
      cache,
      windowMs: 1,
      maxKeys: 3,
      now: Date.now,
      idOf: (id) => id,
      freshnessOf: () => ({ freshMs: 0, staleMs: 0, lastGoodMs: 0 }),
      call: (_group, ids, { requestId }) =>
        guard.run({
          requestId,
          operation: 'prices',
          priority: 'catalog',
          read: true,
          work: (call) => client.send(GET, call).then(() => new Map(ids.map((id) => [id, id]))),
        }),
    })
    return {
      guard,
      all: Array.from({ length: count }, (_, id) => ({
        requestScope: createRequestScope({ requestId: `r${id}` }, { totalMs: 1_500, reserveMs: 0 }),
        id: `${id}`,
        loader,
      })),
    }
  }

  async function storm(count: number): Promise<void> {
    const { guard, all } = started(count)
    for (let from = 0; from < all.length; from += 100) {
      const batch = all.slice(from, from + 100)
      const loading = batch.map(({ loader, id, requestScope }) => loader.load('', [id], requestScope))
      await new Promise((resolve) => setTimeout(resolve, 15))
      for (const { requestScope } of batch) requestScope.leave()
      await Promise.all(loading)
    }
    await untilTrue(() => upstream.pending === 0)
    guard[Symbol.dispose]()
  }

  it('leave no listener, timer, connection, rejection or memory behind', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const held = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50))
      for (let i = 0; i < 3; i++) collect()
      return process.memoryUsage().heapUsed
    }
    await storm(1_000)
    const [heap, timers] = [await held(), timersRunning()]
    await storm(2_000)
    // A leak stays; work that a busy machine has only not finished yet goes away.
    await untilTrue(async () => (await held()) - heap < 3_000_000)
    await untilTrue(() => timersRunning() <= timers)
    await untilTrue(() => upstream.connections <= 16)
    expect(unhandled).to.deep.equal([])
  }).timeout(300_000)

  it('leave no listener on a signal that outlives them', async () => {
    upstream.script = respondJson({ ok: true })
    const { signal } = new AbortController()
    for (let i = 0; i < 500; i++) await client.send(GET, createCall({ signal }))
    upstream.script = respondJson({}, 500)
    for (let i = 0; i < 100; i++) await client.send(GET, createCall({ signal })).catch(() => {})
    expect(getEventListeners(signal, 'abort')).to.have.length(0)
  })
})

const timersRunning = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
