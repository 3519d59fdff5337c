import { expect } from 'chai'
import { pino } from 'pino'
import type { RedirectResponse } from '../../../src/console/console-page.ts'
import { createMerchantDirectory } from '../../../src/console/merchant-directory.ts'
import { type CachePurgePagesParts, createCachePurgePages } from '../../../src/console/pages/cache-purge-page.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Mode } from '../../../src/tenant.ts'

type Mirror = CachePurgePagesParts['mirrors'][number]

const merchants = createMerchantDirectory(
  [{ merchant: 'acme', name: 'Acme Parts', timeZone: 'UTC', currency: 'JMD' }],
  () => 0,
)

function createMirror(mode: Mode, known: readonly string[], change: Partial<Mirror> = {}): Mirror {
  return {
    tenant: { merchant: 'acme', mode },
    isServing: true,
    products: (skus) => skus.map((sku) => (known.includes(sku) ? ({} as never) : null)),
    ...change,
  }
}

describe('the purge of some products', () => {
  let db: Awaited<ReturnType<typeof openDatabase>>
  before(async () => {
    db = await openDatabase('sqlite::memory:')
  })
  after(() => db[Symbol.asyncDispose]())

  async function purge(skus: string, mirrors: Mirror[], mode = ''): Promise<string> {
    const holdsAndPurges = { poll: async () => {} }
    const [, action] = createCachePurgePages({
      ...{ db, merchants, mirrors, holdsAndPurges: holdsAndPurges as never },
      ...{ logger: pino({ level: 'silent' }), now: () => 0 },
    })
    const operator = { operatorId: 'o', name: 'ada', role: 'operator' }
    const form = new URLSearchParams({ merchant: 'acme', mode, skus })
    const { message } = (await action!.respond({ operator, form, address: null } as never)) as RedirectResponse
    return message
  }
  const both = [createMirror('live', ['BP-1001']), createMirror('sandbox', ['BP-1001', 'BP-1002'])]

  it('says that they are purged, if the catalog has them', async () => {
    expect(await purge('BP-1001\nBP-1002', both)).to.equal('Purged in every process: 2 SKUs of Acme Parts.')
  })

  it('names those that are not in the catalog', async () => {
    const advice = 'Check the spelling: upper and lower case differ.'
    expect(await purge('NOPE\nBP-1001\nbp-1001', both)).to.equal(
      `Purged in every process: 3 SKUs of Acme Parts. Not in the catalog: NOPE, bp-1001. ${advice}`,
    )
    expect(await purge('BP-1002', both, 'live')).to.equal(
      `Purged in every process: 1 SKU of Acme Parts (live). Not in the catalog: BP-1002. ${advice}`,
    )
    const many = Array.from({ length: 12 }, (_, at) => `N-${at}`)
    expect(await purge(many.join('\n'), both)).to.include('N-8, N-9 and 2 more. Check')
  })

  it('does not say that they were cached where that is not known', async () => {
    const damaged = createMirror('live', [], {
      products: () => {
        throw new Error('the file is damaged')
      },
    })
    const filling = createMirror('live', [], { isServing: false })
    for (const mirrors of [[], [both[1]!], [filling, both[1]!], [damaged, both[1]!]])
      expect(await purge('NOPE', mirrors)).to.equal('Purged in every process: 1 SKU of Acme Parts, if it was cached.')
    expect(await purge('A\nB', [])).to.equal('Purged in every process: 2 SKUs of Acme Parts, if they were cached.')
  })
})
