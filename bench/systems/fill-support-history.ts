import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createRequestRecordBuffer } from '../../src/diagnostics/buffers/request-record-buffer.ts'
import { createDiagnostics } from '../../src/diagnostics/diagnostics.ts'
import type { FinishedRequest } from '../../src/diagnostics/finished-request.ts'
import type { RecordKind } from '../../src/diagnostics/request-record-kind.ts'
import type { System } from '../../src/ports/system.ts'
import type { SectionTrace } from '../../src/sections/section-trace.ts'
import { chunkRows } from '../../src/storage/chunk-rows.ts'
import type { Database } from '../../src/storage/database.ts'
import { insertRequestRecords } from '../../src/storage/diagnostics/request-records.ts'
import type { Tenant } from '../../src/tenant.ts'
import type { CallTrace } from '../../src/upstream/request/call-trace.ts'

/** How many records a tenant keeps, by kind. */
const RECORDS: Record<RecordKind, number> = { degraded: 12_000, slow: 4_000, refused: 4_000 }
const PERIOD_MS = 29 * 86_400_000
const OUTAGES = 50
/** Responses of each section in an outage. */
const RESPONSES = 8

const sections: readonly [System, string][] = [
  ...['product', 'data', 'availability', 'band', 'media', 'lines', 'checkout'].map(
    (name) => ['inventory', name] as const,
  ),
  ...['price', 'pricing', 'delivery_options', 'checkout', 'promotions', 'cart'].map(
    (name) => ['pricing', name] as const,
  ),
  ...['tax', 'credit', 'customer', 'data', 'order', 'checkout', 'invoice'].map((name) => ['accounting', name] as const),
].map(([system, name]) => [system as System, name])

export interface HistoryCounts {
  records: number
  incidents: number
}

/** Fills a store with a month of outages and request records of these tenants, as a server writes them. The latest outage is still open. */
export async function fillSupportHistory(
  db: Database,
  tenants: readonly (Tenant & { keyId: string })[],
  now: number,
): Promise<HistoryCounts> {
  await writeOutages(db, tenants, now)
  for (const tenant of tenants) await writeRecords(db, tenant, now)
  await sql`analyze`.execute(db)
  const count = async (table: 'request_records' | 'incidents') =>
    Number((await db.selectFrom(table).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)
  return { records: await count('request_records'), incidents: await count('incidents') }
}

async function writeOutages(db: Database, tenants: readonly (Tenant & { keyId: string })[], now: number) {
  const clock = { ms: now - PERIOD_MS }
  const onError = (error: unknown) => {
    throw error
  }
  await using diagnostics = createDiagnostics({ db, now: () => clock.ms, process: 'bench', onError, timed: false })
  for (let outage = 0; outage < OUTAGES; outage += 1) {
    clock.ms = now - Math.round((PERIOD_MS * (OUTAGES - 1 - outage)) / OUTAGES) - RESPONSES * 1_000
    for (let response = 0; response < RESPONSES; response += 1, clock.ms += 1_000)
      for (const tenant of tenants)
        for (const [system, section] of sections)
          diagnostics.recordRequest(toRequest(tenant, { system, section, number: outage * RESPONSES + response }))
    await diagnostics.flush()
    if (outage === OUTAGES - 1) break
    clock.ms += 300_000
    await diagnostics.flush()
  }
}

/** Adds records until the tenant has as many as it keeps. */
async function writeRecords(db: Database, tenant: Tenant & { keyId: string }, now: number) {
  for (const [kind, most] of Object.entries(RECORDS) as [RecordKind, number][]) {
    const own = db
      .selectFrom('request_records')
      .where('tenant_id', '=', tenant.merchant)
      .where('mode', '=', tenant.mode)
    const counted = await own.where('kind', '=', kind).select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()
    const missing = most - Number(counted.n)
    const buffer = createRequestRecordBuffer('bench')
    for (let number = 0; number < missing; number += 1) {
      const [system, section] = sections[number % sections.length]!
      const at = now - Math.round((PERIOD_MS * (missing - number)) / missing)
      buffer.add(toRequest(tenant, { system, section, number, kind }), kind, at)
      if (number % 1_000 === 999 || number === missing - 1)
        for (const chunk of chunkRows(buffer.take())) await insertRequestRecords(db, chunk)
    }
  }
}

interface RequestParts {
  system: System
  section: string
  number: number
  kind?: RecordKind
}

function toRequest({ merchant, mode, keyId }: Tenant & { keyId: string }, of: RequestParts): FinishedRequest {
  const { system, section, number, kind = 'degraded' } = of
  const sku = `BP-${1_000 + (number % 5_000)}`
  const failed: Partial<SectionTrace> =
    kind === 'degraded'
      ? { outcome: 'timeout', ms: 700, code: 'downstream_timeout', kind: 'no response in 700 ms' }
      : {}
  const trace = {
    name: section,
    outcome: 'ok',
    ms: 8,
    system,
    code: null,
    staleAsOf: null,
    cause: null,
    simulated: false,
  }
  const call = { system, operation: section, at: 0, queuedMs: 0, ms: 700, attempts: 1, outcome: 'timeout', cause: null }
  const isCheckout = section === 'checkout'
  return {
    requestId: randomUUID(),
    mode,
    tenant: merchant,
    keyId,
    clientAddress: `192.0.2.${number % 250}`,
    method: isCheckout ? 'POST' : 'GET',
    url: isCheckout ? '/v1/checkout' : `/v1/products/${sku}`,
    route: isCheckout ? 'checkout' : 'getProduct',
    status: kind === 'refused' ? 429 : isCheckout && kind === 'degraded' ? 504 : 200,
    ms: kind === 'slow' ? 1_400 : 712,
    cache: 'miss',
    ...(kind === 'refused' && { code: 'rate_limited' }),
    sections: [{ ...trace, ...failed } as SectionTrace, { ...trace, name: 'other' } as SectionTrace],
    calls: kind === 'degraded' ? [call as CallTrace] : [],
    deadlineMs: 2_500,
    customerId: `C-${1_000 + (number % 300)}`,
    skus: [sku],
    cartId: `cart_${String(number % 900).padStart(22, '0')}`,
  }
}
