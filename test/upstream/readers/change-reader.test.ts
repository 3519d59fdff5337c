import { expect } from 'chai'
import { bandDefaults } from '../../../src/catalog/availability-bands.ts'
import type { ChangePage } from '../../../src/ports/change-feed.ts'
import type { InventoryPort, StockChange } from '../../../src/ports/inventory.ts'
import { createGuard, guardDefaults } from '../../../src/upstream/guard/guard.ts'
import { createChangeReader } from '../../../src/upstream/readers/change-reader.ts'
import { createRequestScope } from '../../../src/upstream/request/request-scope.ts'

describe('the change reader', () => {
  it('makes one call to a system at a time', async () => {
    const answers: ((page: ChangePage<StockChange>) => void)[] = []
    const stockChanges = () => new Promise<ChangePage<StockChange>>((resolve) => answers.push(resolve))
    const port = { maxSkus: 200, stockChanges } as unknown as InventoryPort
    const guard = createGuard('inventory', { ...guardDefaults, timeoutMs: 30_000, concurrency: 2 })
    const backOffice = createChangeReader({
      bandLimits: bandDefaults,
      today: () => '2026-03-02',
      inventory: { port, guard },
      pricing: undefined,
      accounting: undefined,
    })
    const requestScope = () => createRequestScope({ requestId: 'feed' }, { totalMs: 30_000, reserveMs: 0 })
    const query = { since: '2026-03-02T00:00:00.000Z', limit: 1, offset: 0 }
    const asked = [1, 2, 3].map(() => backOffice.stock(query, requestScope()))
    const shopper = guard.run({
      requestId: 'shopper',
      operation: 'items',
      priority: 'catalog',
      read: true,
      work: async () => 'served',
    })
    expect(await shopper.answer).to.equal('served')
    for (const at of [0, 1, 2]) {
      expect(answers).to.have.length(at + 1)
      answers[at]!({ changes: [], has_more: false })
      await asked[at]
      await new Promise((next) => setImmediate(next))
    }
  })
})
