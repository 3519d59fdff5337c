import { expect } from 'chai'
import { findIncident, listIncidents } from '../../src/diagnostics/incidents.ts'
import { readRequestRecords } from '../../src/diagnostics/request-records.ts'
import { buildTimeline } from '../../src/diagnostics/timeline.ts'
import type { System } from '../../src/ports/system.ts'
import type { Database } from '../../src/storage/database.ts'
import { hang, respondJson, type UpstreamScript } from '../support/scripted-upstream.ts'
import { stores, type TestStore } from '../support/stores.ts'
import { until } from '../support/until.ts'
import { type AnySkuSystems, startAnySkuSystems } from './any-sku-systems.ts'
import { type ConcurrentReaders, countBySectionAndCode, createConcurrentReaders } from './concurrent-readers.ts'
import { type ProgramUnderTest, startProgram } from './program-under-test.ts'

const merchants = ['acme', 'zenith'] as const
type Merchant = (typeof merchants)[number]
/** An incident is over when it was quiet for five seconds. */
const QUIET_MS = 6_000
const MINUTE = 60_000
const START = Date.now()

const refuse: UpstreamScript = respondJson({ error: 'no' }, 503)

for (const store of stores()) describe(`incidents of two shops over ${store.name}`, () => suite(store)).timeout(300_000)

function suite(store: TestStore): void {
  let db: Database
  let generic: AnySkuSystems
  let worlds: ProgramUnderTest[]
  let aheadMs = 0
  /** Stands, unless it is moved: nothing is quiet for long because the machine is busy. */
  const now = () => START + aheadMs
  const crowds: Record<Merchant, ConcurrentReaders[]> = { acme: [], zenith: [] }
  const faults = new Map<string, UpstreamScript>()

  before(async () => {
    db = await store.open()
    generic = await startAnySkuSystems()
    for (const system of ['inventory', 'pricing'] as const) {
      const well = generic.systems[system].script
      generic.systems[system].script = (response, seen, request) => {
        const merchant = seen.path.split('/')[1]!.replace('-live', '')
        return (faults.get(`${merchant} ${system}`) ?? well)(response, seen, request)
      }
    }
    const of = {
      addresses: generic.addresses,
      merchants,
      now,
      store: store.url(),
      limits: { pricing: { timeoutMs: 500 } },
    }
    worlds = []
    while (worlds.length < store.servers) worlds.push(await startProgram(of))
    for (const merchant of merchants) {
      const key = await worlds[0]!.key(merchant, 'publishable', 'live')
      crowds[merchant] = worlds.map((world) => createConcurrentReaders(world, merchant, key, now))
    }
  })
  after(async () => {
    for (const world of worlds ?? []) await world[Symbol.asyncDispose]()
    await generic?.[Symbol.asyncDispose]()
    await store.close()
  })

  const broken = (merchant: Merchant, system: System, how: UpstreamScript | null) =>
    how ? faults.set(`${merchant} ${system}`, how) : faults.delete(`${merchant} ${system}`)
  const all = () => merchants.flatMap((merchant) => crowds[merchant])
  async function visits(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) await Promise.all(all().map((crowd, at) => crowd.visit(7 + at)))
  }
  const whole = async () => {
    const looks = await Promise.all(all().map((crowd) => crowd.look()))
    return looks.every((one) => one)
  }
  const list = async (tenant: Merchant) => (await listIncidents(db, { tenant, limit: 50 })).incidents
  const lacksOf = (merchant: Merchant) => crowds[merchant].flatMap(({ lacks }) => lacks)

  it('have every degraded answer that readers counted, at every server, and are over when it is over', async () => {
    await until('both shops are whole at every server', whole)
    // Never both shops in the same trouble: what one has must not show at the other.
    broken('acme', 'pricing', hang)
    await visits(4)
    broken('acme', 'pricing', refuse)
    broken('zenith', 'pricing', hang)
    await visits(4)
    broken('zenith', 'pricing', refuse)
    broken('acme', 'inventory', refuse)
    await visits(4)
    faults.clear()
    await until('both shops are whole again at every server', () => {
      aheadMs += 1
      return whole()
    })

    await until('all of it is told', async () => {
      const told = await Promise.all(merchants.map(list))
      return told.flat().reduce((sum, { answers }) => sum + answers, 0) >= merchants.flatMap(lacksOf).length
    })
    aheadMs += QUIET_MS
    await until('all of it is over', async () =>
      (await Promise.all(merchants.map(list))).flat().every(({ endedAt }) => endedAt !== null),
    )
    for (const merchant of merchants) await compare(merchant)
    const sections = (merchant: Merchant) => new Set(lacksOf(merchant).map(({ section }) => section))
    // A busy machine may keep a reader waiting for something else too: what they lacked is what was kept, as compared above.
    expect([...sections('acme')]).to.include.members(['price', 'product'])
    expect([...sections('zenith')]).to.include('price')
  })

  async function compare(merchant: Merchant): Promise<void> {
    const lacks = lacksOf(merchant)
    const incidents = await list(merchant)
    const told = incidents.flatMap(({ section, codes }) =>
      codes.flatMap(({ code, count }) => Array.from({ length: count }, () => ({ section, code }))),
    )
    expect(countBySectionAndCode(told), merchant).to.deep.equal(countBySectionAndCode(lacks))
    for (const section of new Set(incidents.map((incident) => incident.section))) {
      const own = lacks.filter((lack) => lack.section === section)
      const ofSection = incidents.filter((incident) => incident.section === section)
      expect(sum(ofSection.map(({ answers }) => answers))).to.equal(own.length)
      // Between asking and a little after the answer.
      const began = Math.min(...ofSection.map(({ beganAt }) => beganAt))
      expect(began).to.be.within(Math.min(...own.map(({ askedAt }) => askedAt)), first(own) + 1_000)
      const ended = Math.max(...ofSection.map(({ lastAt }) => lastAt))
      expect(ended).to.be.within(Math.max(...own.map(({ askedAt }) => askedAt)), last(own) + 1_000)
    }
    for (const incident of incidents) {
      const own = lacks.filter(({ section }) => section === incident.section)
      expect(incident.endedAt).to.equal(incident.lastAt)
      const { samples } = (await findIncident(db, incident.incidentId))!
      expect(samples.length).to.equal(Math.min(8, incident.answers))
      for (const { requestId, code } of samples)
        expect(own.map((one) => `${one.requestId} ${one.code}`)).to.include(`${requestId} ${code}`)
      const [record] = await readRequestRecords(db, samples[0]!.requestId)
      expect(record).to.include({ tenant: merchant, kind: 'degraded', route: 'getProduct' })
      expect(record!.sections.find(({ name }) => name === incident.section)!.code).to.equal(samples[0]!.code)
    }
  }

  it('leave a timeline that agrees, also with what was counted last, when the servers have ended', async () => {
    for (const world of worlds) await world[Symbol.asyncDispose]()
    for (const merchant of merchants) {
      const { series } = await buildTimeline(db, {
        ...{ tenant: merchant, mode: 'live', step: 'minute', now: now() },
        ...{ fromMs: START, toMs: now() + MINUTE },
      })
      const sums = (kind: string, section: string) => {
        const one = series.find((each) => each.kind === kind && each.section === section)
        return [one?.totals ?? [], one?.degraded ?? []].map((each) => each.reduce((sum, count) => sum + count, 0))
      }
      const of = crowds[merchant]
      const [asked, degraded] = [sum(of.map(({ asked }) => asked)), sum(of.map(({ degraded }) => degraded))]
      expect(sums('answers', '')).to.deep.equal([asked, degraded])
      const lacking = (section: string) => lacksOf(merchant).filter((one) => one.section === section).length
      // What failed for want of its product has no price either.
      expect(sums('section', 'price')).to.deep.equal([asked - lacking('product'), lacking('price')])
      expect(sums('section', 'product')).to.deep.equal([asked, lacking('product')])
    }
  })
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
const first = (of: { cameAt: number }[]) => Math.min(...of.map(({ cameAt }) => cameAt))
const last = (of: { cameAt: number }[]) => Math.max(...of.map(({ cameAt }) => cameAt))
