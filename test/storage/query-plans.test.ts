import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../src/storage/database.ts'
import { commercePageCalls, commercePageModules } from './plans/commerce-page-calls.ts'
import { consoleSearchCalls, consoleSearchModules } from './plans/console-search-calls.ts'
import { creditReservationCalls, creditReservationModules } from './plans/credit-reservation-calls.ts'
import { diagnosticsCalls, diagnosticsModules } from './plans/diagnostics-calls.ts'
import { operatorCalls, operatorModules } from './plans/operator-calls.ts'
import { type PlanStep, recordPlans } from './plans/record-query-plans.ts'
import { referenceCalls, referenceModules } from './plans/reference-calls.ts'
import { salesCalls, salesModules } from './plans/sales-calls.ts'
import { webhookCalls, webhookModules } from './plans/webhook-calls.ts'

const calls = {
  ...webhookCalls,
  ...diagnosticsCalls,
  ...operatorCalls,
  ...referenceCalls,
  ...salesCalls,
  ...commercePageCalls,
  ...consoleSearchCalls,
  ...creditReservationCalls,
}
const modules: object[] = [
  ...webhookModules,
  ...diagnosticsModules,
  ...operatorModules,
  ...referenceModules,
  ...salesModules,
  ...commercePageModules,
  ...consoleSearchModules,
  ...creditReservationModules,
]

/** Tables with few rows: a few per merchant, operator or process. */
const smallTables = [
  'subscriptions',
  'operators',
  'operator_sessions',
  'directives',
  'process_states',
  'event_positions',
  'reference_imports',
  'fitment_imports',
]
/** Partial indexes of few rows: what is pending, open or not numbered yet. */
const smallIndexes = [
  'deliveries_waiting',
  'deliveries_due',
  'orders_pending',
  'orders_unnumbered',
  'incidents_open',
  'events_unheld',
  'events_held',
  'events_hold_ends',
  'events_unnumbered',
  'events_unnumbered_of_resource',
]

/** Steps that read a large table in the order of an index, and stop after a number of rows. */
const boundedScans: Record<string, string> = {
  'findKeysByText: SCAN api_keys': 'a few per merchant',
  'listAuditLog: SCAN audit_log USING INDEX audit_log_in_time': 'the newest entries',
  'listIncidentRows: SCAN incidents USING INDEX incidents_in_time': 'the newest incidents; at most 50,000 are stored',
  'prune: SCAN breaker_changes USING COVERING INDEX breaker_changes_in_time': 'at most 100,000 are stored',
  'listOutageNotices: SCAN outage_notices USING INDEX outage_notices_in_time': 'a page, from the latest on',
  'prune: SCAN incidents USING COVERING INDEX incidents_in_time': 'at most 50,000 are stored',
}
/** Sorts of few rows: a page, a batch, or what is pending. */
const boundedSorts = [
  'findKeyRevoker',
  'findCustomersById',
  'listCustomerOrders',
  'listCustomerCarts',
  'listSubscriptions',
  'listDeliveries',
  'numberEvents',
  'listUnnumberedTenants',
  'readHoldsAndPurgesSince',
  'listMaintenance',
  'endMaintenance',
  'listOldestPendingOrders',
  'listFailingEndpoints',
  'listRecentlyFailingEndpoints',
  'listFailedImports',
  // Those of an hour.
  'findLatestEndedIncident',
]
const countsOfFew = ['countSignIns', 'countDueDeliveries', 'countPendingOrders', 'countEndpointsByStatus', 'prune']

describe('the queries of webhooks, diagnostics, operators, references, sales and the search on SQLite', () => {
  const plans = new Map<string, PlanStep[]>()
  let tables: string[]

  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'forecourt-plans-'))
    const path = join(directory, 'forecourt.db')
    const db = await openDatabase(`sqlite:${path}`)
    tables = (await db.introspection.getTables()).map(({ name }) => name)
    for (const [name, call] of Object.entries(calls))
      plans.set(name, await recordPlans(path, async () => void (await Promise.all(call(db)))))
    await db.destroy()
    await rm(directory, { recursive: true })
  })

  const stepsThat = (isWrong: (step: PlanStep, name: string) => boolean) =>
    [...plans].flatMap(([name, steps]) =>
      steps.filter((step) => isWrong(step, name)).map(({ detail, sql }) => `${name}: ${detail}\n    ${sql}`),
    )

  it('are all examined here', () => {
    const queries = modules.flatMap((module) => Object.values(module)).filter((value) => typeof value === 'function')
    const names = queries
      .filter((query) => /^[^(]*\(\s*(?:db|transaction)\b/.test(String(query)))
      .map(({ name }) => name)
    expect(names.filter((name) => !(name in calls))).to.deep.equal([])
    expect(names.length).to.be.greaterThan(60)
  })

  it('scan no large table', () => {
    const isWrong = ({ detail }: PlanStep, name: string) => {
      const [, table, index] = /^SCAN (\w+)(?:.* INDEX (\w+))?/.exec(detail) ?? []
      if (!table || !tables.includes(table) || smallTables.includes(table)) return false
      return !smallIndexes.includes(index ?? '') && !(`${name}: ${detail}` in boundedScans)
    }
    expect(stepsThat(isWrong)).to.deep.equal([])
  })

  it('sort no large result', () => {
    const isWrong = ({ detail }: PlanStep, name: string) =>
      detail.startsWith('USE TEMP B-TREE') && ![...boundedSorts, ...countsOfFew].includes(name)
    expect(stepsThat(isWrong)).to.deep.equal([])
  })

  it("find the orders of a customer that reserve credit without the customer's other orders", () => {
    const searches = ['listCreditReservations', 'clearCreditReservations'].map((name) =>
      plans
        .get(name)!
        .map(({ detail }) => detail)
        .join(),
    )
    const search = 'SEARCH orders USING INDEX orders_reserved_credit (tenant_id=? AND mode=? AND customer_id=?'
    expect(searches).to.deep.equal([`${search} AND status=?)`, `${search})`])
  })

  it('find the incidents of an outage without those that ended long before it', () => {
    const steps = plans.get('listIncidentRows')!.filter(({ sql }) => sql.includes('"well_at" >= '))
    expect(steps.map(({ detail }) => detail).join()).to.include('last_at>?')
  })

  it('find deliveries by each filter in an index, not among all of the subscription', () => {
    const searches = plans.get('listDeliveries')!.filter(({ detail }) => detail.startsWith('SEARCH deliveries'))
    for (const { sql, detail } of searches) {
      if (detail.includes('delivery_id=?')) continue
      const filters = ['event_id', 'event_type', 'status'].filter((column) => sql.includes(`"${column}" = ?`))
      // The few deliveries of one event are found by the event.
      const needed = filters[0] === 'event_id' ? ['event_id', 'subscription_id'] : filters
      for (const column of needed) expect(detail, sql).to.include(`${column}=?`)
    }
    expect(searches.length).to.be.greaterThan(16)
  })

  it('find references by their number, or by their SKU, in the order of an index', () => {
    const asked = [...plans].flatMap(([name, all]) => (name === 'pruneImports' ? [] : all))
    const steps = asked.filter(({ detail }) => / product_references /.test(detail))
    // An export and a copy read an import from its first row on.
    const lookUps = steps.filter(({ detail }) => !/\(import_id=\?(?:\)| AND \(sku| AND sku>)/.test(detail))
    expect(lookUps.length).to.be.greaterThan(6)
    for (const { detail, sql } of lookUps)
      expect(detail, sql).to.match(/ USING (?:COVERING )?INDEX \w+ \(import_id=\? AND (?:sku|number_key|sku_key)=\?/)
  })

  it('find orders to count, changed popularities and old sales in the indexes of these', () => {
    const detailsOf = (name: string) => plans.get(name)!.map(({ detail }) => detail)
    expect(detailsOf('listUncountedOrders')).to.deep.equal([
      'SEARCH orders USING INDEX orders_uncounted (tenant_id=? AND mode=?)',
    ])
    expect(detailsOf('listPopularityAndTimeChangesAfter')).to.deep.equal([
      'SEARCH catalog_products USING INDEX catalog_products_popularity (tenant_id=? AND mode=? AND popularity_sequence>?)',
    ])
    expect(detailsOf('listSkusWithSalesBefore')).to.deep.equal([
      'SEARCH product_sales USING COVERING INDEX product_sales_by_week (tenant_id=? AND mode=? AND week<?)',
    ])
    expect(detailsOf('deleteSalesBefore')[0]).to.match(/\(tenant_id=\? AND mode=\? AND sku=\? AND week<\?\)/)
  })

  it('find the open carts of a tenant, those that were changed last first, in the index of these', () => {
    expect(plans.get('listOpenCartsWithProduct')!.map(({ detail }) => detail)).to.include(
      'SEARCH carts USING INDEX carts_open (tenant_id=? AND mode=? AND state=? AND expires_at>?)',
    )
  })

  it('count the incidents of a section in an index, without reading them', () => {
    expect(plans.get('countIncidentsSince')!.map(({ detail }) => detail)).to.deep.equal([
      'SEARCH incidents USING COVERING INDEX incidents_by_section (section=? AND system=? AND tenant_id=? AND mode=? AND last_at>?)',
    ])
  })

  it('find unnumbered events in the index of these', () => {
    const steps = [...plans.values()].flat().filter(({ sql }) => /position"? is null/.test(sql))
    const reads = steps.filter(({ detail }) => /^(?:SCAN|SEARCH) events/.test(detail))
    expect(reads.length).to.be.greaterThan(2)
    for (const { detail, sql } of reads)
      expect(detail, sql).to.match(
        /INDEX (?:events_unnumbered|events_unheld|events_hold_ends|events_held|sqlite_autoindex_events_1)/,
      )
  })

  it('number events without reading those that are held', () => {
    const readsOf = (name: string) =>
      plans.get(name)!.flatMap(({ detail }) => (/^(?:SCAN|SEARCH) events/.test(detail) ? [detail] : []))
    const [unheld, released] = [
      'SEARCH events USING INDEX events_unheld (tenant_id=? AND mode=?)',
      'SEARCH events USING INDEX events_held (tenant_id=? AND mode=? AND held_until<?)',
    ]
    expect(readsOf('numberEvents')).to.include.members([unheld, released])
    expect(readsOf('listUnnumberedTenants')).to.deep.equal([
      'SCAN events USING INDEX events_unheld',
      'SEARCH events USING INDEX events_hold_ends (held_until<?)',
    ])
    expect(readsOf('listHeldEvents')).to.deep.equal([
      'SEARCH events USING INDEX events_held (tenant_id=? AND mode=? AND held_until>?)',
    ])
    for (const name of ['numberEvents', 'listUnnumberedTenants', 'listHeldEvents'])
      for (const detail of readsOf(name)) expect(detail, name).to.not.match(/events_unnumbered /)
  })
})
