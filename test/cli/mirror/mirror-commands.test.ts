import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createRebuildProgress } from '../../../src/cli/mirror/mirror-rebuild-command.ts'
import { markCatalogPartFilled, markCatalogPartRead } from '../../../src/storage/catalog/catalog-part-states.ts'
import { putCatalogParts } from '../../../src/storage/catalog/catalog-products.ts'
import { findOrCreateFeed, setFeedWatermark } from '../../../src/storage/changes/change-feeds.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { transact } from '../../../src/storage/transact.ts'
import { toRow } from '../../catalog/mirror-rows.ts'
import { createCommandHost } from '../../support/command-host.ts'

const tenant = { merchant: 'demo', mode: 'sandbox' } as const

describe('forecourt mirror', function () {
  this.timeout(300_000)
  const host = createCommandHost()
  let directory: string
  const store = () => `sqlite:${join(directory, 'forecourt.db')}`
  const mirror = (...args: string[]) =>
    host.run(['mirror', ...args], { cwd: directory, env: { FORECOURT_DATA: directory } })

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'forecourt-mirror-commands-'))
  })
  after(async () => {
    host.stop()
    await rm(directory, { recursive: true, force: true })
  })

  it('needs a store', async () => {
    const { code, err } = await mirror('status')
    expect([code, err]).to.match(/^2,There is no store at /)
  })

  it('leaves out a mode whose keys are refused', async () => {
    const file = join(directory, 'forecourt.yaml')
    const system = (port: number) => `{ adapter: rest, address: "http://127.0.0.1:${port}", token: t }`
    const write = (more: string) =>
      writeFile(
        file,
        `${more}merchants:\n  acme:\n    name: Acme\n    currency: JMD\n    time_zone: America/Jamaica\n    live: { inventory: ${system(1)}, pricing: ${system(2)}, accounting: ${system(3)} }\n`,
      )
    const modesOf = async () => {
      const { out, err } = await mirror('status', '--config', file, '--json')
      expect(err).to.equal('')
      return (JSON.parse(out) as { mode: string }[]).map(({ mode }) => mode)
    }
    await (await openDatabase(store())).destroy()
    await write('')
    expect(await modesOf()).to.deep.equal(['live'])
    await write('embedded_sandbox: true\n')
    expect(await modesOf()).to.deep.equal(['live', 'sandbox'])
    await rm(file)
  })

  it('prints the status, rebuilds and searches', async () => {
    await using db = await openDatabase(store())
    const at = new Date().toISOString()
    const product = (sku: string, name: string) => ({
      sku,
      product: JSON.stringify(toRow(sku, { product: { name } }).product),
      active: 1,
    })
    await transact(db, (transaction) =>
      putCatalogParts(transaction, tenant, [product('OIL-1', 'Motor oil 20W50'), product('PAD-1', 'Brake pad')], at),
    )
    await transact(db, (transaction) =>
      putCatalogParts(
        transaction,
        tenant,
        [{ sku: 'OIL-1', availability: '{"band":"LOW","eta":null}', stock_as_of: null }],
        at,
      ),
    )
    await markCatalogPartRead(db, tenant, 'products', at)
    await markCatalogPartFilled(db, tenant, 'products', at)
    await setFeedWatermark(
      db,
      { ...tenant, source: (await findOrCreateFeed(db, { ...tenant, source: 'products' }, at)).source },
      at,
      at,
    )

    const before = await mirror('status', '--mode', 'sandbox')
    expect([before.code, before.err]).to.deep.equal([0, ''])
    expect(before.out).to.match(
      /^demo sandbox: no mirror yet \(.*1\.db\)\n {2}part .*\n {2}products {2,}filled +\d+ s +-\n {2}stock +not filled +- +-\n/,
    )
    const missing = await mirror('search', 'demo', 'oil')
    expect([missing.code, missing.err]).to.match(/^2,There is no mirror at .* yet\. Run this on a machine where/)

    const rebuilt = await mirror('rebuild', 'demo', '--from-systems')
    expect([rebuilt.code, rebuilt.out]).to.deep.equal([
      0,
      'Rebuilt the mirror of demo sandbox: 2 SKUs, 2 compared with the store.\nThe change feed reads the whole catalog again. The mirror stays in use meanwhile.\n',
    ])
    expect(await findOrCreateFeed(db, { ...tenant, source: 'products' }, at)).to.deep.include({
      watermark: null,
      baseline: true,
    })
    expect((await listAuditLog(db, { limit: 1 })).map(({ action }) => action)).to.deep.equal(['mirror.restart'])

    const [status] = JSON.parse((await mirror('status', 'demo', '--mode', 'sandbox', '--json')).out)
    expect(status).to.deep.include({ merchant: 'demo', mode: 'sandbox', damage: null })
    expect(status.file).to.deep.include({ rows: 2, lagMs: 0 })

    const found = await mirror('search', 'demo', '20w50')
    expect([found.code, found.out]).to.deep.equal([
      0,
      '1 product\nplace  sku    price  band  name\n1      OIL-1  -      LOW   Motor oil 20W50\n',
    ])
    const corrected = await mirror('search', 'demo', 'mottor', '--json')
    expect(JSON.parse(corrected.out)).to.deep.equal({
      total: 1,
      corrected: 'motor',
      closest: null,
      data: [{ sku: 'OIL-1', name: 'Motor oil 20W50', price: null, band: 'LOW' }],
    })
    expect((await mirror('search', 'demo', 'cheap oil')).out).to.equal(
      'Without "cheap", 1 product would be found: "oil".\n0 products\n',
    )
    expect((await mirror('accept-deletions', 'demo')).out).to.equal(
      'No deletions of demo sandbox wait to be accepted.\n',
    )
  })
})

describe('the progress of a rebuild', () => {
  function show(isTTY: boolean): string {
    let [clock, text] = [0, '']
    const progress = createRebuildProgress(
      {
        isTTY,
        write(part) {
          text += part
        },
      },
      () => clock,
    )
    for (const rows of [500, 1_000, 1_500]) {
      progress.show({ rows, total: 2_000 })
      clock += 10_000
    }
    progress.end()
    return text
  }

  it('is a bar on a terminal, and lines elsewhere', () => {
    expect(show(true).split('\r\u001b[K')).to.deep.equal([
      '',
      '[########                      ] 500 of 2,000 SKUs, 25 %',
      '[###############               ] 1,000 of 2,000 SKUs, 50 %',
      '[#######################       ] 1,500 of 2,000 SKUs, 75 %',
      '',
    ])
    expect(show(false)).to.equal('1,000 of 2,000 SKUs, 50 %\n1,500 of 2,000 SKUs, 75 %\n')
  })
})
