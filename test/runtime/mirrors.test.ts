import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { markCatalogPartFilled, markCatalogPartRead } from '../../src/storage/catalog/catalog-part-states.ts'
import { putCatalogParts } from '../../src/storage/catalog/catalog-products.ts'
import { transact } from '../../src/storage/transact.ts'
import { toRow } from '../catalog/mirror-rows.ts'
import { type Api, startApi } from '../support/api.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { until } from '../support/until.ts'

describe('the mirrors of a server', () => {
  let directory: string
  let api: Api
  const at = new Date().toISOString()

  const start = () =>
    startApi({
      store: `sqlite:${join(directory, 'forecourt.db')}`,
      dataDirectory: directory,
      // Long, because a busy machine may need it.
      mirrorWaitMs: 120_000,
      operations: { metrics: true },
      merchants: (systemsOf) => [
        {
          merchant: 'mirrored',
          mirror: { maxAgeMs: 60_000 },
          live: systemsOf('mirrored-live'),
          sandbox: systemsOf('mirrored'),
        },
      ],
    })
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-mirrors-'))
    api = await start()
  })
  after(async () => {
    await api[Symbol.asyncDispose]()
    rmSync(directory, { recursive: true, force: true })
  })

  const folders = () => readdirSync(join(directory, 'mirrors')).sort()
  const metrics = async () => (await sendHttpRequest(api.operationsAddress, '/metrics')).text
  const tenant = { merchant: 'mirrored', mode: 'sandbox' } as const

  it('follow the store for each tenant that has one, and are measured', async () => {
    await transact(api.db, (transaction) =>
      putCatalogParts(
        transaction,
        tenant,
        [{ sku: 'S-1', product: JSON.stringify(toRow('S-1').product), active: 1 }],
        at,
      ),
    )
    await markCatalogPartRead(api.db, tenant, 'products', at)
    await markCatalogPartFilled(api.db, tenant, 'products', at)
    await until('a part is measured', async () => /forecourt_mirror_age_seconds\{/.test(await metrics()))
    const text = await metrics()
    const labels = 'merchant="mirrored",mode="sandbox"'
    expect(folders()).to.deep.equal(['mirrored-live', 'mirrored-sandbox'])
    expect(text).to.include(`forecourt_mirror_rows{${labels}} 1\n`)
    expect(text).to.include(`forecourt_mirror_lag_seconds{${labels}} 0\n`)
    expect(text).to.match(/forecourt_mirror_age_seconds\{merchant="mirrored",mode="sandbox",part="products"\} \d/)
    expect(text).to.not.match(/forecourt_mirror_age_seconds\{.*part="stock"/)
    expect(text).to.match(/forecourt_mirror_file_bytes\{merchant="mirrored",mode="sandbox"\} [1-9]/)
  })

  it('end with the server, and leave no open file', async () => {
    const log = await api.stopAndReadLog()
    for (const folder of folders())
      expect(
        readdirSync(join(directory, 'mirrors', folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
          /-(wal|shm)$/.test(name),
        ),
      ).to.deep.equal([])
    expect(log).to.not.include('"level":50')
  })

  it('are open before a server that starts again is ready', async () => {
    api = await start()
    const { status, body } = await api.request('/v1/products?sort=name', {
      key: await api.key({ merchant: 'mirrored', mode: 'sandbox' }),
    })
    expect([status, body.data?.map(({ sku }: { sku: string }) => sku)]).to.deep.equal([200, ['S-1']])
  })
})
