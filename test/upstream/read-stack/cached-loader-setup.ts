import { createFairCache } from '../../../src/cache/fair-cache.ts'
import { createInvalidations } from '../../../src/cache/invalidations.ts'
import { UpstreamError, type UpstreamFailure } from '../../../src/errors.ts'
import { createReadStack } from '../../../src/upstream/read-stack/read-stack.ts'
import type { CachedValue } from '../../../src/upstream/read-stack/value-cache.ts'
import { createRequestScope, type RequestScope } from '../../../src/upstream/request/request-scope.ts'

const FRESH = { freshMs: 1_000, staleMs: 2_000, lastGoodMs: 10_000 }

/** A loader over a source that the test steers, on a clock that the test moves. */
export function createLoaderSetup() {
  let now = 1_000_000
  const asked: { group: string; ids: string[]; abandoned: boolean }[] = []
  let answer: (group: string, ids: string[]) => Promise<Map<string, string>> = async (_, ids) =>
    new Map(ids.map((id) => [id, `${id}@${now}`]))
  const invalidations = createInvalidations()
  const cache = createFairCache<CachedValue>(1_000_000)
  const createLoader = (tenantKey: string) =>
    createReadStack<string, string>({
      system: 'pricing',
      tenantKey,
      name: 'price',
      cache,
      windowMs: 0,
      maxKeys: 100,
      now: () => now,
      idOf: (id) => id,
      freshnessOf: () => FRESH,
      invalidation: { invalidations: invalidations, tagOf: (id) => id },
      call(group, ids) {
        const call = { group, ids, abandoned: false }
        asked.push(call)
        const { promise, reject } = Promise.withResolvers<never>()
        const abandon = () => {
          call.abandoned = true
          reject(new UpstreamError('aborted', 'left'))
        }
        return { answer: Promise.race([promise, answer(group, ids)]), abandon, calls: [] }
      },
    })
  const createScope = (of = {}, totalMs = 60_000): RequestScope =>
    createRequestScope({ requestId: 'r', ...of }, { totalMs, reserveMs: 0 }, () => now)
  return {
    asked,
    invalidations,
    cache,
    createLoader,
    loader: createLoader('acme/live'),
    createScope,
    pass(ms: number) {
      now += ms
    },
    answers(next: typeof answer) {
      answer = next
    },
    fails(failure: UpstreamFailure) {
      answer = () => Promise.reject(new UpstreamError(failure, 'as asked'))
    },
  }
}

export const settled = () => new Promise((resolve) => setImmediate(resolve))
