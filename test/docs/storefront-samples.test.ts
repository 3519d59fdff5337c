import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { type Api, startApi } from '../support/api.ts'
import { importReferenceText } from '../support/import-reference-text.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/storefront-guide.md'), 'utf8')
const run = promisify(execFile)

/** Returns the first block of code in a section of the guide. */
function sampleOf(section: string, language: string): string {
  const text = guide.split(`\n## ${section}\n`)[1]!.split('\n## ')[0]!
  return text.split(`\`\`\`${language}\n`)[1]!.split('\n```')[0]!
}

interface SyncedRow {
  sku: string
  active: boolean
}
type Sync = (api: string, key: string, watermark: string, store: (row: SyncedRow) => void) => Promise<string>

describe('the samples of the storefront guide, with a mirror', () => {
  let api: Api
  let key: string

  before(async () => {
    api = await startApi({ mirror: { maxAgeMs: 3_600_000 } })
    await importReferenceText(api.db, 'sku,brand,number,kind\nBP-1001,Honda,45022-T0A-A00,OEM\n')
    await api.fillMirror()
    key = await api.key()
  })
  after(() => api?.[Symbol.asyncDispose]())

  it('search, filter, count facets, suggest and look up', async () => {
    const [read, ...calls] = sampleOf('Search', 'sh').split('\n')
    const bodies = await Promise.all(
      calls.map(async (call) => {
        const env = { ...process.env, API: api.address, PUB: key }
        return JSON.parse((await run('bash', ['-c', `${read}\n${call}`], { env })).stdout)
      }),
    )
    const [filtered, counted, listed, suggested, looked] = bodies
    for (const { price, brand } of filtered.data) {
      expect(Number(price.amount)).to.be.at.most(7_000)
      expect(brand).to.be.oneOf(['Tamaro', 'Norvane'])
    }
    const prices = filtered.data.map(({ price }: { price: { amount: string } }) => Number(price.amount))
    expect(prices).to.not.deep.equal([])
    expect(prices).to.deep.equal(prices.toSorted((a: number, b: number) => a - b))
    expect(counted.data).to.have.length(20)
    expect(Object.keys(counted.facets)).to.deep.equal(['brand', 'category', 'availability', 'price'])
    expect(listed.data.map(({ sku }: SyncedRow) => sku).sort()).to.deep.equal(['BP-1001', 'BP-1002', 'OF-1001'])
    expect(suggested.products).to.not.deep.equal([])
    expect(looked.data[0]).to.deep.include({
      sku: 'BP-1001',
      match: { kind: 'MPN', brand: 'Orizon Parts', number: 'OZ55692' },
    })
  })

  it('synchronize the catalog, and then only changes', async () => {
    const sync = new Function(`${sampleOf('Catalog sync', 'js')}\nreturn sync`)() as Sync
    const rows: SyncedRow[] = []
    const watermark = await sync(api.address, key, '2000-01-01T00:00:00Z', (row) => rows.push(row))
    const { total } = (await api.request('/v1/products?limit=1', { key })).body.pagination
    expect(rows.filter(({ active }) => active)).to.have.length(total)
    expect(new Set(rows.map(({ sku }) => sku)).size).to.equal(rows.length)
    rows.length = 0
    await sync(api.address, key, watermark, (row) => rows.push(row))
    expect(rows).to.deep.equal([])
  })
})
