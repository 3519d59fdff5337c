import { expect } from 'chai'
import { pino } from 'pino'
import type { TenantMirror } from '../../../src/changes/mirror/tenant-mirror.ts'
import { createDiagnosticsPages } from '../../../src/console/all-console-pages.ts'
import type { ConsolePage } from '../../../src/console/console-page.ts'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { createApiKeyPages } from '../../../src/console/pages/api-keys-page.ts'
import { createAuditLogPages } from '../../../src/console/pages/audit-log-pages.ts'
import { createCartPage } from '../../../src/console/pages/lookup/cart-page.ts'
import { createCodePage } from '../../../src/console/pages/lookup/code-page.ts'
import { createCustomerPages } from '../../../src/console/pages/lookup/customer-pages.ts'
import { createKeyPage } from '../../../src/console/pages/lookup/key-page.ts'
import { createOrderPages } from '../../../src/console/pages/lookup/order-pages.ts'
import { createMirrorPage } from '../../../src/console/pages/mirrors/mirror-page.ts'
import { createWebhookPages } from '../../../src/console/pages/webhooks/webhook-pages.ts'
import { createDiagnostics, type Diagnostics } from '../../../src/diagnostics/diagnostics.ts'
import type { FinishedRequest } from '../../../src/diagnostics/finished-request.ts'
import { type CircuitName, circuitNames, toCircuitSystem } from '../../../src/ports/circuit-name.ts'
import type { Database } from '../../../src/storage/database.ts'
import { issueApiKey } from '../../../src/storage/keys/api-keys.ts'
import type { StoreOutage } from '../../../src/storage/store-monitor.ts'
import { modes } from '../../../src/tenant.ts'
import { callTrace, finishedRequest, okSection } from '../../diagnostics/diagnostics-setup.ts'
import { stores } from '../../support/stores.ts'
import { type OperatorBrowser, startTestConsole, type TestConsole, toCookieHeader } from '../test-console.ts'
import { forecourtContact, outageMerchants } from './outage-merchants.ts'
import { around, HOUR_MS, MINUTE_MS } from './outage-times.ts'
import { type SystemOutage, toOperation, toRequests, toSearchCircuit } from './system-outage.ts'

/** The operations pages over a store into which a test records outages as the API does, with a manual clock. */
export interface OutageConsole extends AsyncDisposable {
  db: Database
  testConsole: TestConsole
  diagnostics: Diagnostics
  /** The outage of the store itself. */
  storeState: { outage: StoreOutage | null }
  clock: TestConsole['clock']
  /** Records requests, one after the other. */
  record(requests: readonly Partial<FinishedRequest>[], stepMs?: number): Promise<void>
  /** Records the responses of an outage. If calls are paused in one of them, the circuit opens first, after five failures. */
  recordOutage(outage: SystemOutage, change?: Partial<FinishedRequest>): Promise<void>
  /** The systems of these sections respond again, and the incident is over some seconds later. */
  recover(outage: Pick<SystemOutage, 'responses' | 'merchant'>): Promise<void>
  /** Signs in again: a session ends after an hour. */
  signIn(): Promise<OperatorBrowser>
  /** Reads a page as text. */
  readText(path: string): Promise<string>
  /** Reads the list of incidents around a time that is three minutes off, as somebody remembers it, and the pages of its incidents. */
  readIncident(ms: number): Promise<{ list: string; page: string }>
}

export interface OutageConsoleOptions {
  createMirrors?(now: () => number): TenantMirror[]
}

export async function openOutageConsole({ createMirrors }: OutageConsoleOptions = {}): Promise<OutageConsole> {
  const [store] = stores()
  const db = await store!.open()
  const storeState: OutageConsole['storeState'] = { outage: null }
  let diagnostics!: Diagnostics
  const testConsole = await startTestConsole(db, ({ now }) => {
    const onError = (error: unknown) => expect.fail(String(error))
    diagnostics = createDiagnostics({ db, store: storeState, now, process: 'one', timed: false, onError })
    return createOutagePages({ db, storeState, diagnostics, now, mirrors: createMirrors?.(now) ?? [] })
  })
  const { clock } = testConsole
  await testConsole.addOperator('sam', 'support')
  let browser: OperatorBrowser

  async function signIn(): Promise<OperatorBrowser> {
    browser = { cookie: toCookieHeader(await testConsole.signIn('sam')), csrf: '' }
    return browser
  }
  await signIn()
  const keyIds = await issueShopKeys(db, clock.ms)

  async function record(requests: readonly Partial<FinishedRequest>[], stepMs = 1_000): Promise<void> {
    for (const request of requests) {
      const finished = finishedRequest({ ms: 700, keyId: keyIds[request.tenant ?? 'acme']!, ...request })
      diagnostics.recordRequest(finished)
      const { tenant, mode, keyId, calls = [] } = finished
      const sent = calls.filter(({ attempts }) => attempts > 0)
      for (const call of sent) diagnostics.recordCall({ merchant: tenant!, mode }, call)
      if (tenant !== null) await recordKeyUse(db, keyId!, clock.ms)
      clock.ms += stepMs
    }
    await diagnostics.flush()
  }

  async function recordOutage(outage: SystemOutage, change: Partial<FinishedRequest> = {}): Promise<void> {
    const paused = outage.responses.flatMap(({ failed }) => failed).find(({ openedBy }) => openedBy !== undefined)
    const requests = toRequests(outage, clock.ms)
    if (paused) {
      const tenant = { merchant: outage.merchant ?? 'acme', mode: 'live' } as const
      const failures = [{ kind: paused.openedBy!, count: 5 }]
      diagnostics.recordCircuitTransition(tenant, paused.system as CircuitName, 'open', { failures })
    }
    await record(requests.map((request) => ({ ...request, ...change })))
  }

  async function readText(path: string): Promise<string> {
    const { status, text } = await testConsole.get(browser, path)
    expect(status, path).to.equal(200)
    return toPlainText(text)
  }

  return {
    db,
    testConsole,
    diagnostics,
    storeState,
    clock,
    record,
    recordOutage,
    signIn,
    readText,
    async recover({ responses, merchant = 'acme' }) {
      clock.ms += 10_000
      const recovered = responses.flatMap(({ failed }) => failed)
      const paused = recovered.find(({ openedBy }) => openedBy !== undefined)
      if (paused)
        diagnostics.recordCircuitTransition({ merchant, mode: 'live' }, paused.system as CircuitName, 'closed')
      const called = new Map(recovered.map(({ name, system }) => [toOperation(name), system]))
      const calls = [...called].map(([operation, system]) =>
        callTrace({ system, operation, ...toSearchCircuit(operation), at: clock.ms - 8 }),
      )
      const sections = recovered.map(({ name, system }) => okSection(name, { system }))
      await record([{ tenant: merchant, route: responses[0]!.route ?? 'getProduct', sections, calls, ms: 12 }])
      clock.ms += 10_000
      await diagnostics.flush()
    },
    async readIncident(ms) {
      const path = around('/incidents?', ms)
      const { text } = await testConsole.get(browser, path)
      const links = [...text.matchAll(/href="(\/incidents\/inc_\w+)"/g)].map(([, link]) => link!)
      expect(links.length, 'incidents at that time').to.be.above(0)
      const pages = await Promise.all(links.map(readText))
      return { list: await readText(path), page: pages.join(' ') }
    },
    async [Symbol.asyncDispose]() {
      await testConsole[Symbol.asyncDispose]()
      await diagnostics[Symbol.asyncDispose]()
      await store!.close()
    },
  }
}

/** A key that is accepted stores when. */
async function recordKeyUse(db: Database, keyId: string, at: number): Promise<void> {
  const last_used_at = new Date(at).toISOString()
  await db.updateTable('api_keys').set({ last_used_at }).where('key_id', '=', keyId).execute()
}

/** Issues a key of each merchant, of which the requests are. */
async function issueShopKeys(db: Database, at: number): Promise<Record<string, string>> {
  const created_at = new Date(at - 90 * 24 * HOUR_MS).toISOString()
  const keys = outageMerchants.map(async ({ merchant }) => {
    const { record } = await issueApiKey(db, { merchant, mode: 'live', kind: 'secret', label: 'web shop' })
    await db.updateTable('api_keys').set({ created_at }).where('key_id', '=', record.key_id).execute()
    return [merchant, record.key_id] as const
  })
  return Object.fromEntries(await Promise.all(keys))
}

interface OutagePagesParts extends Pick<OutageConsole, 'db' | 'storeState' | 'diagnostics'> {
  now: () => number
  mirrors: TenantMirror[]
}

function createOutagePages({ db, storeState, diagnostics, now, mirrors }: OutagePagesParts): ConsolePage[] {
  const closed = { state: 'closed', held: null, rejectsCalls: false } as const
  const circuits = outageMerchants.flatMap(({ merchant }) =>
    modes.flatMap((mode) =>
      circuitNames
        .slice(0, 4)
        .map((circuit) => ({ merchant, mode, circuit, system: toCircuitSystem(circuit), ...closed })),
    ),
  )
  const upstreams = { states: () => circuits, forTenant: () => null }
  const logger = pino({ level: 'silent' })
  const shared = { db, now, logger, upstreams }
  const holdsAndPurges = { poll: async () => {} }
  const parts = { ...shared, merchants: createMerchantDirectory(outageMerchants, now, forecourtContact) }
  return [
    ...createDiagnosticsPages({
      ...{ ...shared, store: storeState, merchants: outageMerchants, diagnostics, holdsAndPurges, mirrors },
      contact: forecourtContact,
      machine: 'shop-1',
      storeWaitMs: MINUTE_MS,
    }),
    ...createAuditLogPages(parts),
    ...createApiKeyPages(parts),
    ...createOrderPages(parts),
    ...createCustomerPages(parts),
    ...createWebhookPages(parts),
    createCartPage(parts),
    createKeyPage(parts),
    createCodePage(parts),
    createMirrorPage({
      ...{ ...parts, store: storeState, machine: 'shop-1', mirrors, configuredMerchants: outageMerchants },
      storeWaitMs: MINUTE_MS,
    }),
  ]
}

const toPlainText = (html: string) =>
  html
    .replace(/<script.*?<\/script>|<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([),.:;])/g, '$1')
