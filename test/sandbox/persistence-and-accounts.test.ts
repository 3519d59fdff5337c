import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { setStock, updateProduct } from '../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../src/sandbox/control/pricing-control-client.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { SEEDED_AT, startTestSystem } from './test-system.ts'

describe('the sandbox: persistence', () => {
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  beforeEach(async () => {
    folder = await createTempFolder()
  })

  afterEach(() => folder.remove())

  const lookUp = async (system: RunningSystem, sku: string, account = 'demo') => {
    const body = { skus: [sku], include: ['product', 'stock'] }
    return (await sendRequest(system, '/products/lookup', { account, body })).body.data[0]
  }

  it('keeps every change across a restart', async () => {
    const options = { system: 'inventory', directory: folder.directory, publicUrl: 'https://parts.example' } as const
    const first = await startTestSystem(options)
    await setStock(first.controlAddress, 'demo', 'BP-1001', {
      available: 7,
      expected: [{ date: '2026-04-01', quantity: 9 }],
    })
    await setStock(first.controlAddress, 'demo', 'WB 22/24+S', { available: -1.5, expected: [] })
    await updateProduct(first.controlAddress, 'demo', 'BP-1001', { tags: ['new'], active: false, media: ['m10001-2'] })
    const [pads, oil] = [await lookUp(first, 'BP-1001'), await lookUp(first, 'WB 22/24+S')]
    await first.stop()

    const tomorrow = new Date(SEEDED_AT.getTime() + 86_400_000)
    const second = await startTestSystem({ ...options, now: () => tomorrow })
    expect(await lookUp(second, 'BP-1001')).to.deep.equal(pads)
    expect(await lookUp(second, 'WB 22/24+S')).to.deep.equal(oil)
    expect(pads.stock).to.deep.equal({ available: 7, expected: [{ date: '2026-04-01', quantity: 9 }] })
    expect(pads.product).to.deep.include({ tags: ['new'], active: false, updated_at: SEEDED_AT.toISOString() })
    expect(pads.product.media.map((picture: { large_url: string }) => picture.large_url)).to.deep.equal([
      'https://parts.example/media/pads-2-large.webp',
    ])
    expect((await lookUp(second, 'BP-1004')).stock.expected[0].date).to.equal('2026-03-11')
    await second.stop()
  })

  it('gives every change a later time than the one before', async () => {
    let now = SEEDED_AT
    const options = { system: 'inventory', directory: folder.directory, now: () => now } as const
    const change = (system: RunningSystem, sku: string) =>
      updateProduct(system.controlAddress, 'demo', sku, { brand: null })
    const first = await startTestSystem(options)
    const changeTimes = [await change(first, 'BP-1001'), await change(first, 'BP-1001'), await change(first, 'BP-1004')]
    await first.stop()
    now = new Date(SEEDED_AT.getTime() - 60_000)
    const second = await startTestSystem(options)
    changeTimes.push(await change(second, 'OL-1001'))
    expect(changeTimes).to.deep.equal([0, 1, 2, 3].map((ms) => `2026-03-02T12:00:00.00${ms}Z`))
    await second.stop()
  })

  for (const [system, kind, path, change] of [
    ['inventory', 'stock', 'stock', (at: string) => setStock(at, 'demo', 'BP-1001', { available: 3 })],
    ['pricing', 'prices', 'prices', (at: string) => setPrice(at, 'demo', 'BP-1001', '3.00')],
  ] as const) {
    it(`adds change times to ${kind} of an older version`, async () => {
      const read = async (from: RunningSystem, since = '2020-01-01T00:00:00Z') =>
        (await sendRequest(from, `/changes/${path}?since=${since}&limit=200`)).body.data as {
          sku: string
          updated_at: string
        }[]
      const first = await startTestSystem({ system, directory: folder.directory })
      await change(first.controlAddress)
      await first.stop()
      const file = new DatabaseSync(join(folder.directory, 'demo', `${system}.db`))
      file.exec(`UPDATE documents SET body = json_remove(body, '$.updated_at') WHERE kind = '${kind}';
        PRAGMA user_version = 2`)
      const bodies = () => file.prepare('SELECT body FROM documents WHERE kind = ? ORDER BY key').all(kind)
      const before = bodies().map(({ body }) => JSON.parse(String(body)))
      const second = await startTestSystem({ system, directory: folder.directory })
      const after = bodies().map(({ body }) => JSON.parse(String(body)))
      expect(after.map(({ updated_at: _, ...rest }) => rest)).to.deep.equal(before)
      expect(await read(second)).to.have.lengthOf(200)
      expect(await read(second, '2026-03-01T00:00:00Z')).to.deep.equal([])
      await change(second.controlAddress)
      expect((await read(second, '2026-03-01T00:00:00Z')).map(({ sku }) => sku)).to.deep.equal(['BP-1001'])
      file.close()
      await second.stop()
    })
  }

  it('keeps accounts apart', async () => {
    const system = await startTestSystem({
      system: 'inventory',
      directory: folder.directory,
      accounts: ['demo', 'other'],
    })
    const before = await lookUp(system, 'BP-1001', 'other')
    await setStock(system.controlAddress, 'demo', 'BP-1001', { available: 1, expected: [] })
    await updateProduct(system.controlAddress, 'demo', 'BP-1001', { name: 'Ours alone' })
    expect(await lookUp(system, 'BP-1001', 'other')).to.deep.equal(before)
    expect((await lookUp(system, 'BP-1001')).product.name).to.equal('Ours alone')
    await system.stop()
  })

  it('rejects invalid changes without effect', async () => {
    const system = await startTestSystem({ system: 'inventory', directory: folder.directory })
    const before = await lookUp(system, 'BP-1001')
    const invalidChanges = [
      ['PATCH', 'products/BP-1001', { media: ['m1-1'] }],
      ['PATCH', 'products/BP-1001', { sku: 'X' }],
      ['PUT', 'stock/BP-1001', { available: '7', expected: [] }],
    ] as const
    for (const [method, path, body] of invalidChanges) {
      const answer = await fetch(`${system.controlAddress}/demo/${path}`, { method, body: JSON.stringify(body) })
      expect(answer.status, path).to.equal(400)
    }
    const putStock = (path: string) =>
      fetch(`${system.controlAddress}/${path}`, { method: 'PUT', body: '{"available":1,"expected":[]}' })
    expect((await putStock('demo/stock/nope')).status).to.equal(404)
    expect((await putStock('other/stock/BP-1001')).status).to.equal(404)
    expect((await putStock('demo/constructor/BP-1001')).status).to.equal(404)
    expect(await lookUp(system, 'BP-1001')).to.deep.equal(before)
    await system.stop()
  })

  it('rejects account names that would leave its folder', async () => {
    for (const account of ['../x', '', 'media', 'a/b']) {
      const failure = await startTestSystem({
        system: 'pricing',
        directory: folder.directory,
        accounts: [account],
      }).catch((error) => error.message)
      expect(failure).to.match(/^account ".*" of the sandbox: /)
    }
  })
})
