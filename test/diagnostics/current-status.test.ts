import { expect } from 'chai'
import type { Diagnostics } from '../../src/diagnostics/diagnostics.ts'
import { readCurrentStatus } from '../../src/diagnostics/status/current-status.ts'
import { createLastGoodStatusReader } from '../../src/diagnostics/status/last-good-status-reader.ts'
import type { CircuitStatus } from '../../src/diagnostics/status/system-status.ts'
import { type Database, openDatabase } from '../../src/storage/database.ts'
import { stores } from '../support/stores.ts'
import {
  callTrace,
  type DiagnosticsSetup,
  finishedCacheHit,
  finishedRequest,
  okSection,
  openDiagnosticsForEach,
  START_MS,
  timedOutSection,
} from './diagnostics-setup.ts'

const acmeLive = { merchant: 'acme', mode: 'live' } as const
for (const store of stores()) {
  describe(`the current status over ${store.name}`, () => {
    let db: Database
    let setup: DiagnosticsSetup
    let process: Diagnostics
    let circuits: CircuitStatus[]

    openDiagnosticsForEach(store, (opened) => {
      ;({ db, setup, process } = opened)
      circuits = [
        { merchant: 'acme', mode: 'live', circuit: 'pricing', state: 'closed', held: null },
        { merchant: 'acme', mode: 'live', circuit: 'inventory', state: 'closed', held: null },
      ]
    })

    const view = (by: Diagnostics = process) =>
      readCurrentStatus({
        stored: createLastGoodStatusReader({
          db,
          store: { outage: null },
          merchants: ['acme'],
          now: () => setup.now,
          waitMs: 60_000,
        }),
        store: { outage: null },
        storeRefusals: 0,
        upstreams: { states: () => circuits },
        ownState: by.processState(),
        now: setup.now,
        merchants: [{ merchant: 'acme', name: 'Acme Auto Parts' }],
      })
    const acme = async (by?: Diagnostics) => (await view(by)).merchants[0]!
    const pricing = async (by?: Diagnostics) => (await acme(by)).systems.find(({ system }) => system === 'pricing')!

    it('is empty without requests', async () => {
      expect(await view()).to.deep.equal({
        at: START_MS,
        processes: 1,
        storeOutage: null,
        care: new Map(),
        latestIncident: null,
        refusedKeys: [],
        failingChannels: [],
        tenantsWithKeys: new Set(),
        storedAt: null,
        backlog: {
          waitingOrders: { count: 0, oldest: null, first: [] },
          webhooks: { failing: 0, named: [], recentlyFailing: [], disabled: 0, due: { count: 0, oldest: null } },
          failedImports: [],
        },
        merchants: (['live', 'sandbox'] as const).map((mode) => ({
          merchant: 'acme',
          name: 'Acme Auto Parts',
          mode,
          answers: 0,
          completeShare: null,
          systems: (mode === 'live' ? ['inventory', 'pricing'] : []).map((system) => ({
            system,
            state: 'closed',
            openIn: 0,
            held: null,
            calls: 0,
            errorRate: null,
            p50Ms: null,
            p99Ms: null,
            lastGoodAgeMs: null,
            impactText: [],
            incidents: [],
          })),
        })),
      })
    })

    it('covers the last minute', async () => {
      for (let time = 0; time < 3; time++) process.recordRequest(finishedCacheHit())
      process.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      process.recordCall(acmeLive, callTrace({ ms: 40 }))
      process.recordCall(acmeLive, callTrace({ ms: 700, outcome: 'timeout' }))
      const { answers, completeShare } = await acme()
      expect([answers, completeShare]).to.deep.equal([4, 0.75])
      expect(await pricing()).to.deep.include({ calls: 2, errorRate: 0.5, p50Ms: 50 })
      setup.advance(59_999)
      expect((await acme()).answers).to.equal(4)
      setup.advance(5_000)
      expect((await acme()).answers).to.equal(0)
    })

    it('includes only the circuit of background calls', async () => {
      const feed = { operation: 'changes', background: true } as const
      process.recordCall(acmeLive, callTrace({ ms: 40 }))
      for (let time = 0; time < 99; time++)
        process.recordCall(acmeLive, callTrace({ ...feed, ms: 9_000, outcome: 'timeout' }))
      process.recordCall(acmeLive, callTrace({ ...feed, system: 'inventory', ms: 9_000 }))
      expect(await pricing()).to.deep.include({ calls: 1, errorRate: 0, p50Ms: 37.5, p99Ms: 49.8 })
      process.recordCircuitTransition(acmeLive, 'inventory', 'open')
      expect((await acme()).systems[0]).to.deep.include({
        system: 'inventory',
        state: 'open',
        openIn: 1,
        calls: 0,
        errorRate: null,
        p50Ms: null,
        p99Ms: null,
      })
    })

    it('has the searches of the inventory apart, with their own circuit', async () => {
      circuits.push({ merchant: 'acme', mode: 'live', circuit: 'inventory-search', state: 'open', held: null })
      const search = { system: 'inventory', operation: 'search', circuit: 'inventory-search' } as const
      process.recordCall(acmeLive, callTrace({ system: 'inventory', operation: 'items', ms: 40 }))
      process.recordCall(acmeLive, callTrace({ ...search, ms: 700, outcome: 'timeout' }))
      process.recordCircuitTransition(acmeLive, 'inventory-search', 'open')
      const [inventory, searches] = (await acme()).systems
      expect(inventory).to.deep.include({ system: 'inventory', state: 'closed', calls: 1, errorRate: 0 })
      expect(searches).to.deep.include({ system: 'inventory-search', state: 'open', calls: 1, errorRate: 1 })
    })

    it('describes the effect on shoppers during an incident', async () => {
      const stock = { system: 'inventory', staleAsOf: START_MS - 240_000 } as const
      process.recordRequest(
        finishedRequest({
          sections: [okSection('product'), timedOutSection('price'), timedOutSection('availability', stock)],
        }),
      )
      process.recordRequest(finishedRequest({ route: 'listProducts', sections: [timedOutSection('price')] }))
      process.recordRequest(finishedRequest({ route: 'checkout', status: 504, sections: [timedOutSection('pricing')] }))
      await process.flush()
      const { impactText: words, incidents, lastGoodAgeMs } = await pricing()
      expect(words).to.deep.equal(['Checkout is refused.', 'Prices are missing on product pages and in search.'])
      expect(incidents.map(({ section, answers }) => `${section} ${answers}`)).to.have.members(['price 2', 'pricing 1'])
      expect(lastGoodAgeMs).to.equal(null)
      const inventory = (await acme()).systems[0]!
      expect(inventory.impactText).to.deep.equal(['Availability on product pages is up to 4 min old.'])
      expect(inventory.lastGoodAgeMs).to.equal(240_000)
    })

    it('does not say that a thing is missing or old in itself', async () => {
      const stale = { system: 'accounting', staleAsOf: START_MS - 240_000 } as const
      for (const [route, name] of [
        ['getCreditStatus', 'credit'],
        ['getMe', 'customer'],
        ['logInShopper', 'customer'],
      ] as const)
        process.recordRequest(finishedRequest({ route, sections: [timedOutSection(name, stale)] }))
      await process.flush()
      const accounting = (await acme()).systems.find(({ system }) => system === 'accounting')!
      expect(accounting.impactText).to.have.members([
        'Credit limits are up to 4 min old.',
        'Customer accounts, also at sign-in, are up to 4 min old.',
      ])
    })

    for (const [route, of, said] of [
      ['getProduct', { status: 502 }, 'Product pages are refused.'],
      ['cancelOrder', { status: 502 }, 'Order cancellation is refused.'],
      ['listVehicleYears', {}, 'Vehicle choices are missing in vehicle selection.'],
      [
        'checkout',
        {},
        'Orders are accepted at checkout but not confirmed: shoppers see that their order is being processed.',
      ],
    ] as const) {
      it(`says "${said}"`, async () => {
        const section = route === 'checkout' ? 'checkout' : 'data'
        process.recordRequest(finishedRequest({ route, ...of, sections: [timedOutSection(section)] }))
        await process.flush()
        expect((await pricing()).impactText).to.deep.equal([said])
      })
    }

    it('describes no effect after the incident', async () => {
      process.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      setup.advance(100)
      process.recordCall(acmeLive, callTrace())
      process.recordRequest(finishedRequest({ sections: [okSection('price')], calls: [callTrace()] }))
      setup.advance(5_000)
      await process.flush()
      const { impactText: words, incidents, calls } = await pricing()
      expect([words, incidents, calls]).to.deep.equal([[], [], 1])
    })

    it('marks an incident as inactive when no request shows the section', async () => {
      process.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      await process.flush()
      const told = async () => {
        const { impactText: words, incidents } = await pricing()
        return [words, incidents.map(({ isInactive, lastAt }) => [isInactive, lastAt])]
      }
      setup.advance(10_000)
      expect(await told()).to.deep.equal([['Prices are missing on product pages.'], [[false, START_MS]]])
      setup.advance(1)
      expect(await told()).to.deep.equal([[], [[true, START_MS]]])
    })

    it('adds the state of other processes while they are alive', async () => {
      const other = await openDatabase(store.url())
      const others = setup.createProcess(other, 'two')
      process.recordRequest(finishedCacheHit())
      others.recordRequest(finishedRequest({ sections: [timedOutSection('price')] }))
      others.recordCall(acmeLive, callTrace({ outcome: 'timeout', ms: 700 }))
      others.recordCircuitTransition(acmeLive, 'pricing', 'open')
      await others.flush()
      const { processes, merchants } = await view()
      expect([processes, merchants[0]!.answers, merchants[0]!.completeShare]).to.deep.equal([2, 2, 0.5])
      expect(await pricing()).to.deep.include({ state: 'open', openIn: 1, calls: 1, errorRate: 1 })
      setup.advance(10_001)
      expect((await view()).processes).to.equal(1)
      await others.flush()
      expect((await view()).processes).to.equal(2)
      await others[Symbol.asyncDispose]()
      expect((await view()).processes).to.equal(1)
      await other.destroy()
    })

    it('shows the state of this process’s circuit, and the operator who holds it', async () => {
      const held = { state: 'open', untilMs: START_MS + 60_000, by: 'ida' } as const
      circuits[0] = { ...circuits[0]!, state: 'open', held }
      process.recordCircuitTransition(acmeLive, 'pricing', 'held_open', { by: 'ida' })
      expect(await pricing()).to.deep.include({ state: 'open', openIn: 1, held })
    })

    it('has the state of a circuit that another process tries again, as that process has it', async () => {
      await using other = setup.createProcess(db, 'two')
      let isHalfOpen = false
      other.watchCircuits(() => isHalfOpen)
      other.recordCircuitTransition(acmeLive, 'pricing', 'open')
      for (const [halfOpen, state] of [
        [false, 'open'],
        [true, 'half-open'],
      ] as const) {
        isHalfOpen = halfOpen
        setup.advance(2_000)
        await other.flush()
        // This process follows the other one, or has not heard of it yet.
        for (const own of ['open', 'half-open', 'closed'] as const) {
          circuits[0] = { ...circuits[0]!, state: own }
          for (const by of [process, other]) expect(await pricing(by)).to.deep.include({ state, openIn: 1 })
        }
      }
    })

    it('counts orders that wait for accounting', async () => {
      const at = new Date(START_MS - 90_000).toISOString()
      const order = {
        tenant_id: 'acme',
        mode: 'live',
        customer_id: 'C-1',
        cart_id: 'C',
        draft: '{}',
        placed: null,
      } as const
      const state = { told: 0, leased_until: at, attempts: 0, reject_reason: null, created_at: at, updated_at: at }
      await db
        .insertInto('orders')
        .values([
          { ...order, ...state, order_id: 'O-1', status: 'PENDING' },
          { ...order, ...state, order_id: 'O-2', cart_id: 'D', status: 'CONFIRMED' },
          { ...order, ...state, order_id: 'O-3', cart_id: 'E', status: 'PENDING', tenant_id: 'not_served' },
        ])
        .execute()
      const { first, ...waiting } = (await view()).backlog!.waitingOrders
      expect(waiting).to.deep.equal({ count: 1, oldest: { at: START_MS - 90_000, merchant: 'acme' } })
      expect(first.map(({ order, lastTry }) => [order.tenant_id, lastTry])).to.deep.equal([['acme', null]])
    })
  })
}
