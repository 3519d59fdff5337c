import { expect } from 'chai'
import type { SystemConfig } from '../../src/config/system-config.ts'
import { groupPortsBySystem } from '../../src/upstream/group-ports-by-system.ts'

describe('the systems of a merchant', () => {
  const config = (changes: Partial<SystemConfig> = {}): SystemConfig => ({
    adapter: 'tryton',
    address: 'https://erp.example',
    settings: { user: 'shop', company: 1 },
    limits: {},
    maxResponseBytes: 1_000,
    ...changes,
  })
  const portsOf = (configured: Parameters<typeof groupPortsBySystem>[0]) =>
    groupPortsBySystem(configured).map(({ ports }) => ports.map(({ name }) => name))

  it('are one where adapter, address and settings are the same, whatever the limits', () => {
    const accounting = config({ settings: { company: 1, user: 'shop' }, limits: { concurrency: 2 } })
    expect(portsOf({ inventory: config(), pricing: config(), accounting })).to.deep.equal([
      ['inventory', 'pricing', 'accounting'],
    ])
  })

  for (const [difference, changes] of Object.entries({
    adapter: { adapter: 'rest' },
    address: { address: 'https://ledger.example' },
    settings: { settings: { user: 'ledger', company: 1 } },
  }))
    it(`are two where the ${difference} differs`, () => {
      const configured = { inventory: config(), pricing: config(), accounting: config(changes) }
      expect(portsOf({ ...configured, fitment: 'imported' })).to.deep.equal([['inventory', 'pricing'], ['accounting']])
    })
})
