import { expect } from 'chai'
import { createMerchantDirectory } from '../../../../src/console/merchant-directory.ts'
import { type PartFinding, toProductPageView } from '../../../../src/console/pages/lookup/product-page-view.ts'

const NOW = Date.parse('2026-11-28T16:50:00Z')
const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'America/Jamaica', currency: 'JMD' }],
  () => NOW,
)
const price = { amount: '10.00', uom: 'EA', tax_included: false }
const missing: PartFinding = {
  ...{ cached: null, mirrorState: null, shown: { value: null, error: null, asOf: NOW } },
  live: { value: null, error: null },
}
const findings = {
  ...{ mirrored: null, absent: null, openCarts: null, refusedCheckouts: null },
}
const readSince = (finding: PartFinding) => {
  const parts = [missing, missing, finding, missing]
  const { problems } = toProductPageView(
    { tenant: { merchant: 'acme', mode: 'live' }, sku: 'BP-1009' },
    { ...findings, parts },
    merchants,
    NOW,
  )
  return problems.find(({ text }) => text.startsWith('Price: '))!.since
}

describe('the page of a product without a price', () => {
  it('says until when at least it had one, if the cache still has it', () => {
    const cached = { value: price, asOf: NOW - 600_000, isServable: false } as unknown as PartFinding['cached']
    expect(readSince({ ...missing, cached })).to.equal(
      'It had a price until 11:40:00 GMT-5 at least: Forecourt read it then, for shoppers who are not signed in. How many shoppers saw the product without it is not recorded.',
    )
  })

  it('says that this is not known, if nothing has it', () => {
    expect(readSince(missing)).to.match(/^Since when it has been missing is not known\. Whether it was ever set/)
  })
})
