import { expect } from 'chai'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { readOrderEvidence, toOrderEvidence } from '../../../../src/console/pages/incidents/incident-order-evidence.ts'
import { readOrderLinks } from '../../../../src/console/pages/incidents/incident-orders.ts'
import type { Incident } from '../../../../src/diagnostics/reports/incidents.ts'
import { findAnyOrder } from '../../../../src/storage/commerce/operator-order-queries.ts'
import type { OrderTryRow } from '../../../../src/storage/commerce/order-tries.ts'
import { stores } from '../../../support/stores.ts'
import { insertPendingOrder } from '../pending-order.ts'

const CUSTOMER = { merchant: 'acme', mode: 'live', customer_id: 'C-1' } as const
const AT = Date.parse('2026-11-01T00:00:00.000Z')
const merchants = createMerchantDirectory([], () => AT)

describe('the attempts to place orders as evidence of the end of an incident', () => {
  async function readEvidence(section: string, outcomes: readonly OrderTryRow['outcome'][]) {
    const [store] = stores()
    const db = await store!.open()
    const at = (number: number) => new Date(AT + number * 1_000).toISOString()
    const tries = outcomes.map((outcome, number) => ({ number, at: at(number), ms: 5, outcome, kind: outcome }))
    const order = await findAnyOrder(db, await insertPendingOrder(db, CUSTOMER, at(0), {}, tries))
    const links = await readOrderLinks(db, [order!], merchants)
    await store!.close()
    return toOrderEvidence({ system: 'accounting', section }, links)
  }

  it('are the last failure of accounting and the first order that it placed', async () => {
    const outcomes = ['timeout', 'error', 'placed'] as const
    expect(await readEvidence('checkout', outcomes)).to.deep.equal({ failedAt: AT + 1_000, placedAt: AT + 2_000 })
  })

  it('do not count a refusal of the order, nor attempts without a call, as failures of accounting', async () => {
    const outcomes = ['timeout', 'refused', 'rejected', 'circuit_open', 'maintenance', 'overloaded', 'placed'] as const
    expect(await readEvidence('checkout', outcomes)).to.deep.equal({ failedAt: AT, placedAt: AT + 6_000 })
  })

  it('are read with few queries for a page of incidents, and not for those that are ongoing', async () => {
    const [store] = stores()
    const db = await store!.open()
    let queries = 0
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const incident = (number: number, endedAt: number | null) =>
      ({
        ...{ incidentId: `inc_${number}`, tenant: 'acme', mode: 'live', system: 'accounting', section: 'checkout' },
        ...{ beganAt: AT, lastAt: AT + 1_000, recoveredAt: endedAt, endedAt },
      }) as Incident
    for (let number = 0; number < 5; number++) await insertPendingOrder(db, CUSTOMER, new Date(AT).toISOString())
    const ended = Array.from({ length: 50 }, (_, number) => incident(number, AT + 2_000))
    const evidence = await readOrderEvidence(counting, [incident(99, null), ...ended], merchants)
    await store!.close()
    expect([...evidence.keys()]).to.deep.equal(ended.slice(0, 10).map(({ incidentId }) => incidentId))
    expect(queries).to.equal(20)
  })

  it('tell nothing about other sections of accounting', async () => {
    expect(await readEvidence('credit', ['timeout', 'placed'])).to.deep.equal({ failedAt: null, placedAt: null })
  })
})
