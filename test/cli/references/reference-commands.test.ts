import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../../src/storage/database.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { startCommand } from '../../support/command.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'

const HEAD = 'sku,brand,number,kind,customer'
const of = ['--merchant', 'acme', '--mode', 'sandbox']
const lines = (count: number) =>
  `${HEAD}\n${Array.from({ length: count }, (_, at) => `SKU-${at},Toyota,"N ${at},0",OEM,`).join('\n')}\n`

for (const store of stores()) {
  describe(`forecourt references: ${store.name}`, function () {
    this.timeout(300_000)
    const host = createCommandHost()
    let cwd: string
    let url: string

    beforeEach(async () => {
      cwd = await mkdtemp(join(tmpdir(), 'forecourt-references-'))
      url = await store.createMigrated()
      const acme = 'acme: { name: A, currency: JMD, time_zone: UTC, sandbox: {} }'
      await writeFile(join(cwd, 'forecourt.yaml'), `store: "${url}"\nmerchants: { ${acme} }\n`)
      await writeFile(join(cwd, 'good.csv'), `${lines(2)}SKU-0,,MINE-1,CUSTOMER,C-1001\n`)
    })
    afterEach(async () => {
      await store.close()
      await rm(cwd, { recursive: true, force: true })
    })
    after(() => host.stop())

    const references = (...args: string[]) => host.run(['references', ...args], { cwd })
    const status = async () => {
      const { out } = await references('status', '--json')
      return JSON.parse(out).find(({ mode }: { mode: string }) => mode === 'sandbox')
    }

    it('imports, prints the status, exports and clears', async () => {
      const imported = await references('import', 'good.csv', ...of)
      expect([imported.code, imported.err]).to.deep.equal([0, ''])
      expect(imported.out).to.equal(
        'Imported good.csv for acme sandbox: 3 references: 2 SKUs, 1 customer with numbers of their own.\n',
      )
      expect((await references('status')).out).to.match(/^acme sandbox: good\.csv, 3 references: 2 SKUs, .*since 20/m)
      const exported = await references('export', ...of)
      expect(exported.out.trim().split('\n')).to.deep.equal([
        HEAD,
        'SKU-0,,MINE-1,CUSTOMER,C-1001',
        'SKU-0,Toyota,"N 0,0",OEM,',
        'SKU-1,Toyota,"N 1,0",OEM,',
      ])
      await writeFile(join(cwd, 'again.csv'), exported.out)
      await references('import', 'again.csv', ...of)
      expect((await references('export', ...of)).out).to.equal(exported.out)
      expect((await references('clear', ...of)).out).to.equal('Cleared the imported references of acme sandbox.\n')
      expect((await status()).imported).to.equal(null)
      expect((await references('export', ...of)).code).to.equal(2)
    })

    it('exports each row once, page after page', async () => {
      await writeFile(join(cwd, 'many.csv'), lines(2_345))
      await references('import', 'many.csv', ...of)
      const exported = (await references('export', ...of)).out.trim().split('\n')
      expect([exported.length, new Set(exported).size]).to.deep.equal([2_346, 2_346])
    })

    it('reports as JSON, checks without writing, and says what is bad', async () => {
      await writeFile(join(cwd, 'bad.csv'), `${HEAD},stock\nSKU-1,,A-1,OEM,,9\nSKU-1,,A-2,MAKER,,9\n`)
      const { code, out } = await references('import', 'bad.csv', ...of, '--json')
      expect([code, JSON.parse(out)]).to.deep.equal([
        1,
        {
          outcome: 'refused',
          headed: true,
          whole: true,
          lines: 2,
          badLines: 1,
          doubled: 0,
          unknownColumns: ['stock'],
          counts: { references: 1, skus: 1, customers: 0, descriptions: 0 },
          bad: [{ line: 3, mistake: 'kind "MAKER" is none of OEM, CROSS, SUPERSEDES, SUPERSEDED_BY, CUSTOMER' }],
        },
      ])
      const checked = await references('import', 'good.csv', ...of, '--dry-run')
      expect([checked.code, checked.out]).to.deep.equal([
        0,
        'good.csv is valid: 3 references: 2 SKUs, 1 customer with numbers of their own. Nothing was imported.\n',
      ])
      expect((await status()).imported).to.equal(null)
      const template = await references('template')
      await writeFile(join(cwd, 'template.csv'), template.out)
      expect((await references('import', 'template.csv', ...of)).code).to.equal(0)
    })

    it('records imports and clears in the audit log', async () => {
      await references('import', 'good.csv', ...of)
      await references('clear', ...of)
      await using db = await openDatabase(url)
      const whose = { merchant: 'acme', mode: 'sandbox', account: userInfo().username }
      const counts = { references: 3, skus: 2, customers: 1, descriptions: 0 }
      const entries = await listAuditLog(db, { limit: 9 })
      expect(entries.map(({ action, target }) => [action, JSON.parse(target)])).to.deep.equal([
        ['references.clear', whose],
        ['references.import', { ...whose, ...counts, source: 'good.csv' }],
      ])
    })

    it('keeps the previous import when it is killed', async () => {
      await references('import', 'good.csv', ...of)
      execFileSync('mkfifo', [join(cwd, 'many.csv')])
      const running = startCommand(['references', 'import', 'many.csv', ...of], { cwd })
      await using file = await open(join(cwd, 'many.csv'), 'w')
      await file.writeFile(lines(4_000))
      await using db = await openDatabase(url)
      const count = db.fn.countAll<number>().as('count')
      const rows = () => db.selectFrom('product_references').select(count).executeTakeFirstOrThrow()
      await until('it has written a thousand rows', async () => (await rows()).count > 1_000)
      running.child.kill('SIGKILL')
      expect((await running.ended).signal).to.equal('SIGKILL')
      expect((await status()).imported.counts.references).to.equal(3)
      const refused = await references('import', 'good.csv', ...of)
      expect([refused.code, refused.out]).to.deep.equal([1, ''])
      expect(refused.err).to.match(/Another import for acme sandbox is in progress/)
    })
  })
}
