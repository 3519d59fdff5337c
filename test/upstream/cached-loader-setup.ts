import { createExpiries } from '../../src/cache/invalidation.ts'
import { createFairCache } from '../../src/cache/fair-cache.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/errors.ts'
import { type Asking, createAsking } from '../../src/upstream/request-scope.ts'
import { createLoader, type Kept } from '../../src/upstream/cached-loader.ts'

const FRESH = { freshMs: 1_000, staleMs: 2_000, lastGoodMs: 10_000 }

/** A loader over a source that the test steers, on a clock that the test moves. */
export function world() {
  let now = 1_000_000
  const asked: { group: string; ids: string[]; abandoned: boolean }[] = []
  let answer: (group: string, ids: string[]) => Promise<Map<string, string>> = async (_, ids) =>
    new Map(ids.map((id) => [id, `${id}@${now}`]))
  const expiries = createExpiries()
  const cache = createFairCache<Kept>(1_000_000)
  const loaderOf = (owner: string) =>
    createLoader<string>({
      ...{ system: 'pricing', owner, name: 'price', cache, windowMs: 0, maxIds: 100, now: () => now },
      freshnessOf: () => FRESH,
      expiring: { expiries, tagOf: (id) => id },
      ask(group, ids) {
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
  const askingOf = (of = {}, totalMs = 60_000): Asking =>
    createAsking({ requestId: 'r', ...of }, { totalMs, reserveMs: 0 }, () => now)
  return {
    asked,
    expiries,
    cache,
    loaderOf,
    loader: loaderOf('acme/live'),
    askingOf,
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
