import type { Mode } from '../../config/config.ts'
import type { SectionTrace } from '../../sections/section.ts'
import { limitIncidentSamples } from '../../storage/diagnostics/incident-merge.ts'
import type { IncidentUpdate } from '../../storage/diagnostics/incident-updates.ts'
import { INCIDENT_QUIET_MS, type IncidentKey, type OpenIncident } from '../../storage/diagnostics/open-incidents.ts'
import type { CallTrace } from '../../upstream/call-trace.ts'
import type { RequestOutcome } from '../request-outcome.ts'
import { createTupleMap } from './tuple-map.ts'

/** What this process knows of sections: the degraded answers that the store has not heard of, and when each was well. */
export interface IncidentBuffer {
  recordDegraded(owner: Owner, section: SectionTrace, outcome: RequestOutcome, at: number): void
  /** It was in an answer, and well there. */
  recordHealthy(owner: Owner, section: SectionTrace, outcome: RequestOutcome, at: number): void
  recordCall(owner: Owner, call: CallTrace, at: number): void
  take(): IncidentUpdate[]
  /** Those that could not be written. */
  restore(news: readonly IncidentUpdate[]): void
  /** When its section is known to have been well after its last degraded answer; `null`: that is not known. */
  healthySince(incident: OpenIncident): number | null
}

export interface Owner {
  tenant: string
  mode: Mode
}

/** What there is of a section, for good: there are no more of them than merchants and sections. */
interface Health {
  key: IncidentKey
  /** Of the last degraded answer that this process gave. */
  lastAt: number
  wellAt: number
  /** What is asked of its system for it. */
  asked: Set<string>
  /** What was asked in vain, since it was degraded. */
  failing: Set<string>
  news: IncidentUpdate | null
}

export function createIncidentBuffer(): IncidentBuffer {
  const healths = createTupleMap<Health>()
  /** When a system last answered, by what was asked of it. */
  const answered = createTupleMap<Map<string, number>>()

  function healthOf({ tenant, mode }: Owner, { system, name }: Pick<SectionTrace, 'system' | 'name'>): Health {
    return healths.getOrCreate([tenant, mode, system ?? '', name], () => {
      const key = { tenant_id: tenant, mode, system: system ?? '', section: name }
      return { key, lastAt: 0, wellAt: 0, asked: new Set<string>(), failing: new Set<string>(), news: null }
    })
  }

  /** What it failed to answer must be answered again; where that is another's to know, what is asked for this section. */
  function hasAnswered({ tenant_id, mode, system }: IncidentKey, { failing, asked }: Health, since: number): boolean {
    const answers = answered.get([tenant_id, mode, system])
    return [...(failing.size > 0 ? failing : asked)].some((operation) => (answers?.get(operation) ?? 0) > since)
  }

  return {
    recordDegraded(owner, section, outcome, at) {
      const health = healthOf(owner, section)
      if (health.wellAt > health.lastAt && at - health.lastAt >= INCIDENT_QUIET_MS) health.failing.clear()
      health.lastAt = at
      for (const { system, outcome: how, operation } of outcome.calls ?? []) {
        if (system !== section.system) continue
        health.asked.add(operation)
        if (how !== 'ok') health.failing.add(operation)
      }
      health.news = withOne(health.news ?? newsOf(health.key, at), section, outcome, at)
    },
    recordHealthy(owner, section, outcome, at) {
      const health = healthOf(owner, section)
      health.wellAt = at
      for (const { system, operation } of outcome.calls ?? [])
        if (system === section.system) health.asked.add(operation)
    },
    recordCall({ tenant, mode }, { system, outcome, operation }, at) {
      if (outcome === 'ok')
        answered.getOrCreate([tenant, mode, system], () => new Map<string, number>()).set(operation, at)
    },
    take() {
      const taken: IncidentUpdate[] = []
      for (const health of healths.values()) {
        if (health.news) taken.push(health.news)
        health.news = null
      }
      return taken
    },
    restore(news) {
      for (const one of news) {
        const health = healths.get(wordsOf(one))!
        health.news = health.news ? summed(one, health.news) : one
      }
    },
    healthySince(incident) {
      const health = healths.get(wordsOf(incident))
      const lastAt = Date.parse(incident.last_at)
      if (!health || health.wellAt <= lastAt) return null
      // What is well from the cache says nothing.
      return incident.system === '' || hasAnswered(incident, health, lastAt) ? health.wellAt : null
    },
  }
}

const wordsOf = ({ tenant_id, mode, system, section }: IncidentKey) => [tenant_id, mode, system, section]

const newsOf = (key: IncidentKey, at: number): IncidentUpdate => ({
  ...{ ...key, first_at: iso(at), last_at: iso(at), answers: 0, codes: {}, samples: [] },
})

/** Its first few requests and its last. */
const SAMPLES_HELD = 24
const [FIRST_HELD, LAST_HELD] = [4, 8]

function withOne(
  news: IncidentUpdate,
  { code, outcome: how }: SectionTrace,
  outcome: RequestOutcome,
  at: number,
): IncidentUpdate {
  const named = code ?? how
  news.answers += 1
  news.codes[named] = (news.codes[named] ?? 0) + 1
  const { requestId, route } = outcome
  const time = iso(at)
  if (time > news.last_at) news.last_at = time
  news.samples.push({ request_id: requestId, at: time, code: named, route })
  // They come in order of time: those in the middle go.
  if (news.samples.length > SAMPLES_HELD) news.samples.splice(FIRST_HELD, news.samples.length - LAST_HELD - FIRST_HELD)
  return news
}

function summed(earlier: IncidentUpdate, later: IncidentUpdate): IncidentUpdate {
  const codes = { ...earlier.codes }
  for (const [code, count] of Object.entries(later.codes)) codes[code] = (codes[code] ?? 0) + count
  return {
    ...later,
    first_at: earlier.first_at < later.first_at ? earlier.first_at : later.first_at,
    last_at: earlier.last_at > later.last_at ? earlier.last_at : later.last_at,
    answers: earlier.answers + later.answers,
    codes,
    samples: limitIncidentSamples([...earlier.samples, ...later.samples]),
  }
}

let latest = { ms: 0, text: '' }

/** Many come in one millisecond, and writing a time costs more than all the rest. */
function iso(ms: number): string {
  if (ms !== latest.ms || latest.text === '') latest = { ms, text: new Date(ms).toISOString() }
  return latest.text
}
