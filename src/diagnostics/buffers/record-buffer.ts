import { randomUUID } from 'node:crypto'
import type { RequestRecordRow } from '../../storage/diagnostics/request-records.ts'
import { redactPath } from '../../storage/keys/api-key-format.ts'
import { getOrCreate } from '../counts/tally.ts'
import type { RequestOutcome } from '../request-outcome.ts'
import type { RecordKind } from '../request-records.ts'
import { createTupleMap } from './tuple-map.ts'

/** Requests that were chosen for a record and are not written yet. */
export interface RecordBuffer {
  add(outcome: RequestOutcome, kind: RecordKind, at: number): void
  take(): RequestRecordRow[]
  /** Those that could not be written. */
  restore(rows: readonly RequestRecordRow[]): void
}

/** Of one kind of one merchant in one mode. */
const A_SECOND = 10
const AT_ONCE = 100
/** While the store is away. Whoever has the most of them gives one up: a flood of one merchant, or of nobody, costs no other its own. */
const MOST_HELD = 2_000

export function createRecordBuffer(process: string): RecordBuffer {
  const allowances = createTupleMap<{ left: number; at: number }>()
  let held = new Map<string, (() => RequestRecordRow)[]>()
  let count = 0

  function hold(owner: string, row: () => RequestRecordRow): void {
    getOrCreate(held, owner, (): (() => RequestRecordRow)[] => []).push(row)
    count += 1
    if (count <= MOST_HELD) return
    const most = [...held.values()].reduce((a, b) => (b.length > a.length ? b : a))
    // Its first and its last tell more than those in between.
    most.splice(most.length >> 1, 1)
    count -= 1
  }

  function isAllowed(words: string[], at: number): boolean {
    const allowance = allowances.getOrCreate(words, () => ({ left: AT_ONCE, at }))
    const earned = (Math.max(0, at - allowance.at) / 1_000) * A_SECOND
    allowance.left = Math.min(AT_ONCE, allowance.left + earned)
    allowance.at = at
    if (allowance.left < 1) return false
    allowance.left -= 1
    return true
  }

  return {
    add(outcome, kind, at) {
      const { tenant, mode } = outcome
      if (!isAllowed([tenant ?? '', mode, kind], at)) return
      hold(ownerOf(tenant, mode), () => rowOf(outcome, kind, at, process))
    },
    take() {
      const taken = [...held.values()].flatMap((rows) => rows.map((row) => row()))
      held = new Map()
      count = 0
      return taken
    },
    restore(rows) {
      const later = held
      held = new Map()
      count = 0
      for (const row of rows) hold(ownerOf(row.tenant_id, row.mode), () => row)
      for (const [owner, some] of later) for (const row of some) hold(owner, row)
    },
  }
}

const ownerOf = (tenant: string | null, mode: string) => `${tenant ?? ''}/${mode}`

function rowOf(outcome: RequestOutcome, kind: RecordKind, at: number, process: string): RequestRecordRow {
  const { requestId, tenant, mode, route, status, ms, code, keyId } = outcome
  const { method, url, cache, sections = [], calls = [], deadlineMs = null } = outcome
  const document = {
    method,
    path: redactPath(url),
    cache,
    deadlineMs,
    sections,
    calls: calls.slice(0, MOST_CALLS),
    process,
  }
  return {
    ...{ record_id: randomUUID(), request_id: requestId, tenant_id: tenant, mode },
    ...{ at: new Date(at).toISOString(), kind, route, status, ms: Math.round(ms) },
    ...{ code: code ?? null, key_id: keyId, document: JSON.stringify(document) },
  }
}

/** A page of search asks for a few; a cart of 200 lines does not ask for many more. */
const MOST_CALLS = 40
