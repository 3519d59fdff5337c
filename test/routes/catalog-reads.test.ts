import { startApi } from '../support/api.ts'
import { describeCatalogReads } from '../support/catalog-read-suite.ts'

const products = {
  inStock: 'BP-1001',
  low: 'BP-1002',
  out: 'BP-1003',
  leadTime: 'BP-1004',
  overdue: 'BP-1005',
  withdrawn: 'BP-1010',
  escaped: 'WB 22/24+S',
  taxExempt: 'BP-1012',
  category: { slug: 'braking', below: ['BP-1001', 'BP-1004'] },
  tag: { tag: 'clearance', of: 'CS-1008' },
  words: { q: 'HONDA pad front', find: 'BP-1001' },
  contract: { customer: 'C-1001', sku: 'OL-1001' },
  vehicles: true,
}

for (const [name, mirror] of [
  ['the embedded back office', null],
  ['the embedded back office, with a mirror', { maxAgeMs: 3_600_000 }],
] as const)
  describeCatalogReads(name, async () => {
    const api = await startApi({ mirror })
    await api.fillMirror({ vehicles: true })
    return { api, merchant: 'acme', products, isMirrored: mirror !== null }
  })
