import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { markCatalogPartFilled, markCatalogPartRead } from '../../src/storage/catalog/catalog-part-states.ts'
import { putCatalogParts } from '../../src/storage/catalog/catalog-products.ts'
import { toRow } from '../catalog/mirror-rows.ts'
import { type ProgramUnderTest, startProgram } from '../resilience/program-under-test.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'
import { until } from '../support/until.ts'
import { dashboard, groupingLabelsIn, metricsIn, panelExpressions, rules } from './prometheus-expressions.ts'
import { startPrometheus } from './prometheus-server.ts'
import { hasPromtool, runPromtoolWithInput } from './promtool.ts'

/** Labels that Prometheus adds to every series. */
const ADDED_LABELS = ['job', 'instance']
/** Panels without data here: no request has a problem between two scrapes, and no webhook endpoint exists. */
const EMPTY_PANELS = ['Problems by code', 'Delivery attempts by outcome']

const everyMerchant = { merchants: null, systems: null, afterMs: 3_600_000, quietHours: null }

describe('metrics of the alert rules and the dashboard', () => {
  let directory: string
  let embedded: SandboxSystems
  let world: ProgramUnderTest
  let text: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'forecourt-metrics-'))
    embedded = await startSandboxSystems(directory)
    const addresses = Object.fromEntries(Object.entries(embedded).map(([system, { address }]) => [system, address]))
    world = await startProgram({
      addresses: addresses as never,
      merchants: ['acme'],
      mirror: { maxAgeMs: 60_000 },
      notifications: [{ ...everyMerchant, id: 'ops', target: { kind: 'mail', to: 'ops@acme.example' } }],
    })
    await generateTraffic()
    await until('the store responded in time', async () => {
      text = await (await fetch(world.forecourt.metricsAddress!)).text()
      return text.includes('forecourt_store_up 1') && /^forecourt_mirror_age_seconds\{/m.test(text)
    })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await stopSandboxSystems(embedded)
    await rm(directory, { recursive: true, force: true })
  })

  /** Generates complete and degraded responses, an open circuit, a held circuit, a refused checkout and an incident. */
  async function generateTraffic(): Promise<void> {
    const { db, upstreams } = world.forecourt
    const [browser, server] = [
      await world.createKey('acme', 'publishable', 'live'),
      await world.createKey('acme', 'secret', 'live'),
    ]
    const token = await world.createShopperToken('acme', 'live', 'C-1001')
    await world.request('/v1/products/BP-1001', browser)
    await embedded.pricing.setFault({ status: 503 })
    await until('the circuit opened', async () => {
      await world.request('/v1/products?limit=1&q=oil', browser)
      for (const sku of ['BP-1002', 'OL-1001', 'BR-1001', 'FL-1001'])
        await world.request(`/v1/products/${sku}`, browser)
      return upstreams.states().some(({ system, state }) => system === 'pricing' && state === 'open')
    })
    const held = { state: 'open', untilMs: Date.now() + 3_600_000, by: 'demo' } as const
    expect(upstreams.hold({ merchant: 'acme', mode: 'live' }, 'accounting', held)).to.equal(true)
    const order = { cart_id: 'cart_none', payment_method: 'CASH_ON_DELIVERY' }
    const sent = { headers: { 'X-Storefront-Shopper-Token': token, 'Idempotency-Key': 'a' }, body: order }
    expect((await world.request('/v1/checkout', server, sent)).status).to.be.oneOf([404, 503])
    const at = new Date().toISOString()
    const acme = { merchant: 'acme', mode: 'live' } as const
    await putCatalogParts(db, acme, [{ sku: 'S-1', product: JSON.stringify(toRow('S-1').product), active: 1 }], at)
    await markCatalogPartRead(db, acme, 'products', at)
    await markCatalogPartFilled(db, acme, 'products', at)
    const incident = {
      incident_id: 'inc_1',
      tenant_id: 'acme',
      mode: 'live',
      system: 'fitment',
      section: 'data',
    } as const
    await db
      .insertInto('incidents')
      .values({
        ...incident,
        began_at: at,
        last_at: at,
        well_at: null,
        ended_at: null,
        answers: 1,
        codes: '{}',
        samples: '[]',
      })
      .execute()
  }

  /** Returns the labels of the series with that name, or `null` if there is none. */
  const labelsOf = (name: string) => {
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    return lines.length === 0 ? null : new Set([...lines.join('\n').matchAll(/(\w+)="/g)].map(([, label]) => label!))
  }
  /** For a metric without series: this test has no webhook endpoint. */
  const isDeclared = (name: string) => text.includes(`# TYPE ${name} `)

  const asked = [
    ...rules.map(({ alert, record, expr }) => ({ title: alert ?? record!, expr })),
    ...panelExpressions.map(({ title, expr }) => ({ title: `the panel "${title}"`, expr })),
    ...dashboard.templating.list.flatMap(({ name, type, query }) =>
      type === 'query' ? [{ title: `the variable ${name}`, expr: (query as { query: string }).query }] : [],
    ),
    ...dashboard.annotations.list.flatMap(({ expr }) => (expr ? [{ title: 'the annotation', expr }] : [])),
  ]
  for (const { title, expr } of asked) {
    it(`${title}: /metrics has these metrics and labels`, () => {
      for (const { name, labels } of metricsIn(expr)) {
        const there = labelsOf(name)
        if (name === 'forecourt_webhook_attempts_total') expect(isDeclared(name)).to.equal(true)
        else expect(there, name).to.be.an('set')
        const known = [...(there ?? ['outcome']), ...ADDED_LABELS]
        expect(known, name).to.include.members(labels)
        const reads = metricsIn(expr)
        if (reads.length === 1) expect(known, name).to.include.members(groupingLabelsIn(expr))
      }
    })
  }

  if (hasPromtool())
    it('give a real Prometheus series for each panel, and its rules no error', async () => {
      await using prometheus = await startPrometheus(world.forecourt.metricsAddress!)
      // A rate needs two scrapes.
      await until('it has scraped twice', () =>
        prometheus.countSeries('count_over_time(up{job="forecourt"}[1m]) >= 2').then((count) => count > 0),
      )
      // A scrape that takes longer than its interval leaves all panels empty until the next one.
      let empty: string[] = []
      await until('only two panels are empty', async () => {
        empty = []
        for (const { title, expr } of panelExpressions)
          if ((await prometheus.countSeries(expr)) === 0) empty.push(title)
        return empty.length <= EMPTY_PANELS.length
      }).catch(() => {})
      expect(empty).to.have.members(EMPTY_PANELS)
      await until('each rule was evaluated', async () =>
        (await prometheus.rules()).every(({ health }) => health !== 'unknown'),
      )
      const evaluated = await prometheus.rules()
      expect(evaluated).to.have.lengthOf(rules.length)
      expect(evaluated.filter(({ health }) => health !== 'ok')).to.deep.equal([])
    })

  if (hasPromtool())
    it('have a format that promtool accepts', () => {
      expect(runPromtoolWithInput(text, 'check', 'metrics')).to.equal('')
    })

  it('include all metrics of Forecourt except four', () => {
    const declared = [...text.matchAll(/^# TYPE (forecourt_\w+) /gm)].map(([, name]) => name!)
    const read = new Set(asked.flatMap(({ expr }) => metricsIn(expr).map(({ name }) => name.replace(/_bucket$/, ''))))
    expect(declared.filter((name) => !read.has(name))).to.have.members([
      'forecourt_webhook_sending',
      'forecourt_pictures_total',
      'forecourt_mirror_searches_total',
      'forecourt_mirror_search_seconds',
    ])
  })
})
