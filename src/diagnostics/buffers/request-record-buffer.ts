import { randomUUID } from 'node:crypto'
import { isPersonalText } from '../../security/is-personal-text.ts'
import { redactPath } from '../../security/redact-path.ts'
import type { RequestRecordRow } from '../../storage/diagnostics/request-records.ts'
import type { FinishedRequest } from '../finished-request.ts'
import { getOrCreate } from '../get-or-create.ts'
import type { RecordKind } from '../request-record-kind.ts'
import { createTupleMap } from '../tuple-map.ts'

/** Request records that are not written yet. */
export interface RequestRecordBuffer {
  add(request: FinishedRequest, kind: RecordKind, at: number): void
  take(): RequestRecordRow[]
  /** Takes back rows that could not be written. */
  restore(rows: readonly RequestRecordRow[]): void
}

/** Records of one kind of one tenant. */
const MAX_PER_SECOND = 10
const MAX_BURST = 100
/**
 * The maximum number of records in memory while the store is unreachable. Above it, the tenant with the most records loses one. So a flood of
 * one merchant, or of callers without a key, does not displace the records of others.
 */
const MAX_UNWRITTEN = 2_000
/** A search page makes a few calls, and a cart of 200 lines not many more. */
const MAX_CALLS = 40

export function createRequestRecordBuffer(process: string): RequestRecordBuffer {
  const allowances = createTupleMap<{ left: number; at: number }>()
  /** Rows are created when they are taken: most of a flood is dropped before. */
  let unwritten = new Map<string, (() => RequestRecordRow)[]>()
  let count = 0

  function push(tenant: string, createRow: () => RequestRecordRow): void {
    getOrCreate(unwritten, tenant, (): (() => RequestRecordRow)[] => []).push(createRow)
    count += 1
    if (count <= MAX_UNWRITTEN) return
    const longest = [...unwritten.values()].reduce((a, b) => (b.length > a.length ? b : a))
    // The first and the last records are more useful than those in between.
    longest.splice(longest.length >> 1, 1)
    count -= 1
  }

  function isAllowed(key: string[], at: number): boolean {
    const allowance = allowances.getOrCreate(key, () => ({ left: MAX_BURST, at }))
    const earned = (Math.max(0, at - allowance.at) / 1_000) * MAX_PER_SECOND
    allowance.left = Math.min(MAX_BURST, allowance.left + earned)
    allowance.at = at
    if (allowance.left < 1) return false
    allowance.left -= 1
    return true
  }

  return {
    add(request, kind, at) {
      const { tenant, mode } = request
      if (!isAllowed([tenant ?? '', mode, kind], at)) return
      push(bufferKey(tenant, mode), () => toRow(request, kind, at, process))
    },
    take() {
      const taken = [...unwritten.values()].flatMap((rows) => rows.map((createRow) => createRow()))
      unwritten = new Map()
      count = 0
      return taken
    },
    restore(rows) {
      const later = unwritten
      unwritten = new Map()
      count = 0
      for (const row of rows) push(bufferKey(row.tenant_id, row.mode), () => row)
      for (const [tenant, laterRows] of later) for (const createRow of laterRows) push(tenant, createRow)
    },
  }
}

/** Callers without a key share one entry per mode. */
const bufferKey = (merchant: string | null, mode: string) => `${merchant ?? ''}/${mode}`

function toRow(request: FinishedRequest, kind: RecordKind, at: number, process: string): RequestRecordRow {
  const { requestId, tenant, mode, route, status, ms, code, keyId } = request
  const { method, url, cache, sections = [], calls = [], deadlineMs = null, reachedLimit, refusedSkus } = request
  const path = redactPath(url)
  const document = {
    method,
    path,
    cache,
    deadlineMs,
    sections,
    calls: calls.slice(0, MAX_CALLS),
    process,
    reachedLimit,
    refusedSkus: refusedSkus?.filter(isRecorded).slice(0, MAX_SKUS),
    skuRefusals: request.skuRefusals?.filter(({ sku }) => isRecorded(sku)).slice(0, MAX_SKUS),
    cartId: request.cartId ?? undefined,
  }
  return {
    record_id: randomUUID(),
    request_id: requestId,
    // The merchant finds the requests of an ended key, which share the limits of callers without a key.
    tenant_id: tenant ?? request.endedKeyOf?.merchant ?? null,
    mode,
    at: new Date(at).toISOString(),
    kind,
    route,
    status,
    ms: Math.round(ms),
    code: code ?? null,
    key_id: keyId,
    customer_id: isRecorded(request.customerId) ? request.customerId : null,
    skus: joinOrNull(
      '\n',
      (request.skus ?? []).filter(isRecorded).map((sku) => sku.toLowerCase()),
    ),
    section_codes: joinOrNull(' ', [...new Set(sections.flatMap(({ code }) => code ?? []))]),
    document: JSON.stringify(document),
  }
}

const MAX_SEARCHED_LENGTH = 128
const MAX_SKUS = 20

/** NUL is not text for PostgreSQL. */
const isRecorded = (text: string | null | undefined): text is string =>
  typeof text === 'string' && text.length <= MAX_SEARCHED_LENGTH && !/[\0\n]/.test(text) && !isPersonalText(text)

/** Joins words with the separator also before the first and after the last one, so that each can be found as a whole. */
const joinOrNull = (separator: string, words: readonly string[]) =>
  words.length === 0 ? null : `${separator}${words.join(separator)}${separator}`
