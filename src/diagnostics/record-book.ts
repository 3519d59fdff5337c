import { randomUUID } from 'node:crypto'
import type { RequestRecordRow } from '../storage/request-records.ts'
import { createByWords } from './by-words.ts'
import type { Outcome } from './outcome.ts'
import type { RecordKind } from './records.ts'

/** Requests that were chosen for a record and are not written yet. */
export interface RecordBook {
  keep(outcome: Outcome, kind: RecordKind, at: number): void
  take(): RequestRecordRow[]
  /** Those that could not be written. */
  giveBack(rows: readonly RequestRecordRow[]): void
}

/** Of one kind of one merchant in one mode. */
const A_SECOND = 10
const AT_ONCE = 100
/** While the store is away; later ones are left out. */
const MOST_HELD = 2_000

export function createRecordBook(process: string): RecordBook {
  const allowances = createByWords<{ left: number; at: number }>()
  let held: { outcome: Outcome; kind: RecordKind; at: number }[] = []
  let unwritten: RequestRecordRow[] = []

  function isAllowed(words: string[], at: number): boolean {
    const allowance = allowances.at(words, () => ({ left: AT_ONCE, at }))
    const earned = (Math.max(0, at - allowance.at) / 1_000) * A_SECOND
    allowance.left = Math.min(AT_ONCE, allowance.left + earned)
    allowance.at = at
    if (allowance.left < 1) return false
    allowance.left -= 1
    return true
  }

  return {
    keep(outcome, kind, at) {
      if (held.length + unwritten.length >= MOST_HELD) return
      if (isAllowed([outcome.tenant ?? '', outcome.mode, kind], at)) held.push({ outcome, kind, at })
    },
    take() {
      const taken = [...unwritten, ...held.map((one) => rowOf(one.outcome, one.kind, one.at, process))]
      held = []
      unwritten = []
      return taken
    },
    giveBack(rows) {
      unwritten = [...rows, ...unwritten].slice(0, MOST_HELD)
    },
  }
}

function rowOf(outcome: Outcome, kind: RecordKind, at: number, process: string): RequestRecordRow {
  const { requestId, tenant, mode, route, status, ms, code, keyId } = outcome
  const { method, url, cache, sections = [], calls = [], deadlineMs = null } = outcome
  const document = {
    method,
    path: pathOf(url),
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
const LONGEST_PATH = 256
/** A key that was put into an address by mistake is as secret there as anywhere. */
const KEY = /(svc_(?:live|test)_(?:pub|sec)_)\w+/g

/** A query may hold what shoppers typed, or a letter's token. */
function pathOf(url: string): string {
  const query = url.indexOf('?')
  const path = query < 0 ? url : url.slice(0, query)
  return path.replace(KEY, '$1[redacted]').slice(0, LONGEST_PATH)
}
