import type { Logger } from 'pino'
import { LISTS } from '../cache/invalidation.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import { type Directives, followDirectives } from '../operations/override-follower.ts'
import type { Database } from '../storage/database.ts'
import type { Offices } from '../upstream/upstream-registry.ts'

export interface ByHandParts {
  db: Database
  offices: Offices
  responses: ResponseCache
  diagnostics: Diagnostics
  logger: Logger
  now: () => number
}

/** A store that is away fails twice a second. */
const LINE_EVERY_MS = 60_000

/** What operators do by hand, done in this process: circuits are held, and both caches forget. Resolves when what was said before holds. */
export async function followOperators({ offices, responses, diagnostics, ...parts }: ByHandParts): Promise<Directives> {
  const { db, logger, now } = parts
  let toldAt = Number.NEGATIVE_INFINITY
  const directives = followDirectives({
    ...{ db, now, hold: offices.hold },
    purge(merchant, mode, skus) {
      const of = { merchant: merchant ?? undefined, mode: mode ?? undefined, skus }
      for (const owner of offices.purge(of)) {
        const expiries = responses.expiries(owner)
        if (skus) expiries.expire([...skus, LISTS])
        else expiries.expireAll()
      }
    },
    onTurn: ({ merchant, mode, system }, turn, by) => diagnostics.turned(`${merchant}/${mode}`, system, turn, by),
    onError(err) {
      if (now() - toldAt < LINE_EVERY_MS) return
      toldAt = now()
      logger.warn({ err }, 'what operators say by hand is not heard of')
    },
  })
  await directives.look()
  return directives
}
