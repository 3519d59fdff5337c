import { expect } from 'chai'
import { findIncident } from '../../src/diagnostics/reports/incident-detail.ts'
import { listIncidents } from '../../src/diagnostics/reports/incidents.ts'
import { readRequestRecords } from '../../src/diagnostics/reports/request-records.ts'
import { buildTimeline } from '../../src/diagnostics/reports/timeline.ts'
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
/** An incident ends after five seconds without failures. */
const QUIET_MS = 6_000
const MINUTE = 60_000
const START = Date.now()

const refuse: UpstreamScript = respondJson({ error: 'no' }, 503)

for (const store of stores())
  describe(`incidents of two merchants over ${store.name}`, () => suite(store)).timeout(300_000)

function suite(store: TestStore): void {
  let db: Database
  let upstreams: AnySkuSystems
  let programs: ProgramUnderTest[]
  let aheadMs = 0
  /** Moves only when the test moves it: a slow machine must not end an incident. */
  const now = () => START + aheadMs
  const readers: Record<Merchant, ConcurrentReaders[]> = { acme: [], zenith: [] }
  const faults = new Map<string, UpstreamScript>()

  before(async () => {
    db = await store.open()
    upstreams = await startAnySkuSystems()
    for (const system of ['inventory', 'pricing'] as const) {
      const respondNormally = upstreams.systems[system].script
      upstreams.systems[system].script = (response, seen, request) => {
        const merchant = seen.path.split('/')[1]!.replace('-live', '')
        return (faults.get(`${merchant} ${system}`) ?? respondNormally)(response, seen, request)
      }
    }
    const of = {
      addresses: upstreams.addresses,
      merchants,
      now,
      store: store.url(),
      limits: { pricing: { timeoutMs: 500 } },
    }
    programs = []
    while (programs.length < store.maxServers) programs.push(await startProgram(of))
    for (const merchant of merchants) {
      const key = await programs[0]!.createKey(merchant, 'publishable', 'live')
      readers[merchant] = programs.map((program) => createConcurrentReaders(program, merchant, key, now))
    }
  })
  after(async () => {
    for (const program of programs ?? []) await program[Symbol.asyncDispose]()
    await upstreams?.[Symbol.asyncDispose]()
    await store.close()
  })

  const setFault = (merchant: Merchant, system: System, how: UpstreamScript | null) =>
    how ? faults.set(`${merchant} ${system}`, how) : faults.delete(`${merchant} ${system}`)
  const allReaders = () => merchants.flatMap((merchant) => readers[merchant])
  async function readPages(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++)
      await Promise.all(allReaders().map((reader, at) => reader.readNewPages(7 + at)))
  }
  const areAllComplete = async () => {
    const results = await Promise.all(allReaders().map((reader) => reader.readPage()))
    return results.every((isComplete) => isComplete)
  }
  const list = async (merchant: Merchant) => (await listIncidents(db, { merchant, limit: 50 })).incidents
  const missingSectionsOf = (merchant: Merchant) => readers[merchant].flatMap(({ missingSections }) => missingSections)

  it('contain every degraded response at every server, and end with the failure', async () => {
    await until('both merchants get complete pages at every server', areAllComplete)
    // Never the same fault for both merchants: the incidents of one must not show at the other.
    setFault('acme', 'pricing', hang)
    await readPages(4)
    setFault('acme', 'pricing', refuse)
    setFault('zenith', 'pricing', hang)
    await readPages(4)
    setFault('zenith', 'pricing', refuse)
    setFault('acme', 'inventory', refuse)
    await readPages(4)
    faults.clear()
    await until('both merchants get complete pages again at every server', () => {
      aheadMs += 1
      return areAllComplete()
    })

    await until('all incidents are recorded', async () => {
      const recorded = await Promise.all(merchants.map(list))
      return (
        recorded.flat().reduce((sum, { answers }) => sum + answers, 0) >= merchants.flatMap(missingSectionsOf).length
      )
    })
    aheadMs += QUIET_MS
    await until('all incidents have ended', async () =>
      (await Promise.all(merchants.map(list))).flat().every(({ endedAt }) => endedAt !== null),
    )
    for (const merchant of merchants) await compare(merchant)
    const sections = (merchant: Merchant) => new Set(missingSectionsOf(merchant).map(({ section }) => section))
    // A busy machine may cause further missing sections; the comparison above covers them.
    expect([...sections('acme')]).to.include.members(['price', 'product'])
    expect([...sections('zenith')]).to.include('price')
  })

  async function compare(merchant: Merchant): Promise<void> {
    const missing = missingSectionsOf(merchant)
    const incidents = await list(merchant)
    const recorded = incidents.flatMap(({ section, codes }) =>
      codes.flatMap(({ code, count }) => Array.from({ length: count }, () => ({ section, code }))),
    )
    expect(countBySectionAndCode(recorded), merchant).to.deep.equal(countBySectionAndCode(missing))
    for (const section of new Set(incidents.map((incident) => incident.section))) {
      const own = missing.filter((lack) => lack.section === section)
      const ofSection = incidents.filter((incident) => incident.section === section)
      expect(sum(ofSection.map(({ answers }) => answers))).to.equal(own.length)
      // Between the request and shortly after the response.
      const began = Math.min(...ofSection.map(({ beganAt }) => beganAt))
      expect(began).to.be.within(Math.min(...own.map(({ requestedAt }) => requestedAt)), first(own) + 1_000)
      const ended = Math.max(...ofSection.map(({ lastAt }) => lastAt))
      expect(ended).to.be.within(Math.max(...own.map(({ requestedAt }) => requestedAt)), last(own) + 1_000)
    }
    for (const incident of incidents) {
      const own = missing.filter(({ section }) => section === incident.section)
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

  it('agree with the timeline after the servers have stopped', async () => {
    for (const program of programs) await program[Symbol.asyncDispose]()
    for (const merchant of merchants) {
      const { series } = await buildTimeline(db, {
        merchant,
        mode: 'live',
        step: 'minute',
        now: now(),
        fromMs: START,
        toMs: now() + MINUTE,
      })
      const sums = (kind: string, section: string) => {
        const one = series.find((each) => each.kind === kind && each.section === section)
        return [one?.totals ?? [], one?.degraded ?? []].map((each) => each.reduce((sum, count) => sum + count, 0))
      }
      const of = readers[merchant]
      const [asked, degraded] = [
        sum(of.map(({ responses }) => responses)),
        sum(of.map(({ degradedResponses }) => degradedResponses)),
      ]
      expect(sums('answers', '')).to.deep.equal([asked, degraded])
      const missingCount = (section: string) =>
        missingSectionsOf(merchant).filter((one) => one.section === section).length
      // A page without its product has no price either.
      expect(sums('section', 'price')).to.deep.equal([asked - missingCount('product'), missingCount('price')])
      expect(sums('section', 'product')).to.deep.equal([asked, missingCount('product')])
    }
  })
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)
const first = (of: { respondedAt: number }[]) => Math.min(...of.map(({ respondedAt }) => respondedAt))
const last = (of: { respondedAt: number }[]) => Math.max(...of.map(({ respondedAt }) => respondedAt))
