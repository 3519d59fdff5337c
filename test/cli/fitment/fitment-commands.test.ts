import { execFileSync } from 'node:child_process'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Database, openDatabase, SERVER_BUSY_TIMEOUT_MS } from '../../../src/storage/database.ts'
import { issueApiKey } from '../../../src/storage/keys/api-keys.ts'
import { listAuditLog } from '../../../src/storage/operators/audit-log.ts'
import { startCommand } from '../../support/command.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { stores } from '../../support/stores.ts'
import { until } from '../../support/until.ts'
import { AUDIT_LOG_TABLE, withoutAuditLog } from '../../support/without-audit-log.ts'

const HEAD = 'sku,year,make,model'
const of = ['--merchant', 'acme', '--mode', 'sandbox']
const lines = (count: number) =>
  `${HEAD}\n${Array.from({ length: count }, (_, at) => `SKU-${at},2001-2010,Kia,Rio ${at % 200}`).join('\n')}\n`

for (const store of stores()) {
  describe(`forecourt fitment: ${store.name}`, function () {
    this.timeout(300_000)
    const host = createCommandHost()
    // Up to ten processes, one after the other.
    let cwd: string
    let url: string

    beforeEach(async () => {
      cwd = await mkdtemp(join(tmpdir(), 'forecourt-fitment-'))
      url = await store.createMigrated()
      const acme = 'acme: { name: A, currency: JMD, time_zone: UTC, sandbox: { fitment: imported } }'
      await writeFile(join(cwd, 'forecourt.yaml'), `store: "${url}"\nmerchants: { ${acme} }\n`)
      await writeFile(join(cwd, 'good.csv'), lines(2))
    })
    afterEach(async () => {
      await store.close()
      await rm(cwd, { recursive: true, force: true })
    })

    after(() => host.stop())

    const fitment = (...args: string[]) => host.run(['fitment', ...args], { cwd })
    const status = async () => {
      const { out } = await fitment('status', '--json')
      return JSON.parse(out).find(({ mode }: { mode: string }) => mode === 'sandbox')
    }

    it('imports, prints the status, exports and clears', async () => {
      const imported = await fitment('import', 'good.csv', ...of)
      expect([imported.code, imported.err]).to.deep.equal([0, ''])
      expect(imported.out).to.include('20 fitments').and.include('2 SKUs, 20 vehicles')
      expect(await status()).to.deep.include({ merchant: 'acme', shown: true })
      const exported = await fitment('export', ...of)
      expect(exported.out.trim().split('\n')).to.have.lengthOf(21)
      await writeFile(join(cwd, 'again.csv'), exported.out)
      await fitment('import', 'again.csv', ...of)
      expect((await fitment('export', ...of)).out).to.equal(exported.out)
      expect((await fitment('clear', ...of)).out).to.match(/^Cleared the imported fitment of acme sandbox/)
      expect((await status()).imported).to.equal(null)
      expect((await fitment('export', ...of)).code).to.equal(2)
    })

    it('records imports and clears in the audit log', async () => {
      await fitment('import', 'good.csv', ...of, '--dry-run')
      await fitment('import', 'good.csv', ...of)
      await fitment('clear', ...of)
      await fitment('clear', ...of)
      await using db = await openDatabase(url)
      const whose = { merchant: 'acme', mode: 'sandbox', account: userInfo().username }
      const counts = { vehicles: 20, skus: 2, fitments: 20, universal: 0 }
      expect(
        (await listAuditLog(db, { limit: 9 })).map(({ action, target }) => [action, JSON.parse(target)]),
      ).to.deep.equal([
        ['fitment.clear', whose],
        ['fitment.import', { ...whose, ...counts, source: 'good.csv' }],
      ])
    })

    it('records a refused import in the audit log, with its first ten bad lines', async () => {
      await writeFile(join(cwd, 'bad.csv'), `${HEAD}\nS,2001,Kia,Rio\n${'S,20I0,Kia,Rio\n'.repeat(12)}`)
      for (const more of [['--dry-run'], []])
        expect((await fitment('import', 'bad.csv', ...of, ...more)).code).to.equal(1)
      await using db = await openDatabase(url)
      const entries = await listAuditLog(db, { limit: 9 })
      expect(entries.map(({ action, outcome, operator }) => [action, outcome, operator])).to.deep.equal([
        ['fitment.import', 'failed', 'command line'],
      ])
      const { bad, ...target } = JSON.parse(entries[0]!.target)
      const account = userInfo().username
      const file = { source: 'bad.csv', outcome: 'refused', lines: 13, badLines: 12 }
      expect(target).to.deep.equal({ merchant: 'acme', mode: 'sandbox', account, ...file })
      expect(bad.map(({ line }: { line: number }) => line)).to.deep.equal([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      for (const { mistake } of bad) expect(mistake).to.match(/^year "20I0" is not a year/)
    })

    it('changes nothing when the audit log cannot be written', async () => {
      await using db = await openDatabase(url)
      await withoutAuditLog(db, async () =>
        expect((await fitment('import', 'good.csv', ...of)).err).to.include(AUDIT_LOG_TABLE),
      )
      expect((await status()).imported).to.equal(null)
      await fitment('import', 'good.csv', ...of)
      await withoutAuditLog(db, async () => expect((await fitment('clear', ...of)).err).to.include(AUDIT_LOG_TABLE))
      expect((await status()).imported.counts.skus).to.equal(2)
    })

    it('fails an export that lost rows to a later import', async () => {
      await fitment('import', 'good.csv', ...of)
      const db = await openDatabase(url)
      await db.deleteFrom('fitments').where('sku', '=', 'SKU-1').execute()
      await db.destroy()
      const { code, err } = await fitment('export', ...of)
      expect(code).to.equal(1)
      expect(err).to.match(/another import replaced this one and 10 rows were deleted/)
    })

    /** Stands for a file: the import has as much of it as was written to it, and waits for more. */
    function pipe() {
      execFileSync('mkfifo', [join(cwd, 'many.csv')])
      return { begin: () => open(join(cwd, 'many.csv'), 'w') }
    }
    const rowsIn = async (db: Database) =>
      (await db.selectFrom('fitments').select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count

    it('keeps the previous import when it is killed', async () => {
      await fitment('import', 'good.csv', ...of)
      const { begin } = pipe()
      const running = startCommand(['fitment', 'import', 'many.csv', ...of], { cwd })
      await using file = await begin()
      await file.writeFile(lines(2_000))
      const db = await openDatabase(url)
      try {
        await until('it has written thousands of rows', async () => (await rowsIn(db)) > 5_000)
        running.child.kill('SIGKILL')
        expect((await running.ended).signal).to.equal('SIGKILL')
      } finally {
        await db.destroy()
      }
      expect((await status()).imported.counts.fitments).to.equal(20)
      const refused = await fitment('import', 'good.csv', ...of)
      expect([refused.code, refused.out]).to.deep.equal([1, ''])
      expect(refused.err).to.match(
        /Another import for acme sandbox is in progress\. If it was killed, try again in 30 seconds/,
      )
    })

    it('keeps the previous import at Ctrl-C, and another one can start at once', async () => {
      await fitment('import', 'good.csv', ...of)
      await writeFile(join(cwd, 'many.csv'), lines(40_000))
      const running = startCommand(['fitment', 'import', 'many.csv', ...of], { cwd })
      const db = await openDatabase(url)
      try {
        const under = () =>
          db.selectFrom('fitment_imports').select('import_id').where('state', '=', 'LOADING').execute()
        await until('it is under way', async () => (await under()).length > 0)
      } finally {
        await db.destroy()
      }
      running.child.kill('SIGINT')
      const { code, err, out } = await running.ended
      expect([code, err, out]).to.deep.equal([130, 'Interrupted: nothing was changed.\n', ''])
      expect((await status()).imported.counts.fitments).to.equal(20)
      expect((await fitment('import', 'good.csv', ...of)).code).to.equal(0)
    })

    it('lets a running server write during an import', async () => {
      const { begin } = pipe()
      const importing = fitment('import', 'many.csv', ...of)
      const file = await begin()
      const text = lines(4_000)
      const half = text.length / 2
      await file.writeFile(text.slice(0, half))
      const db = await openDatabase(url, { ms: SERVER_BUSY_TIMEOUT_MS })
      try {
        await until('it has written thousands of rows', async () => (await rowsIn(db)) > 5_000)
        for (let written = 0; written < 20; written++) {
          // While it writes, a statement of its own may take longer than a server waits, on a crowded machine.
          await until('it can be written', () =>
            issueApiKey(db, { merchant: 'acme', kind: 'publishable', mode: 'sandbox' }).then(
              () => true,
              (error: Error) => {
                if (!/database is locked/.test(error.message)) throw error
                return false
              },
            ),
          )
        }
        await file.writeFile(text.slice(half))
        await file.close()
        const { code, out, err } = await importing
        const progress = /^[\d,]+ rows read, .*\n/gm
        expect([code, err.replaceAll(progress, '')]).to.deep.equal([0, ''])
        expect(out).to.include('40,000 fitments')
      } finally {
        await db.destroy()
      }
    })
  })
}

describe('forecourt fitment', () => {
  const host = createCommandHost()
  let cwd: string

  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-fitment-'))
  })
  afterEach(() => rm(cwd, { recursive: true, force: true }))
  after(() => host.stop())

  const demo = ['--merchant', 'demo', '--mode', 'sandbox']
  const imported = async (text: string, ...args: string[]) => {
    await writeFile(join(cwd, 'x.csv'), text)
    return host.run(['fitment', 'import', 'x.csv', ...demo, ...args], { cwd })
  }

  it('warns that the demo does not show imported fitment', async () => {
    const template = await host.run(['fitment', 'template'], { cwd })
    const { code, out, err } = await imported(template.out)
    expect([code, out]).to.satisfy(([ended, said]: [number, string]) => ended === 0 && /2 SKUs, 5 vehicles/.test(said))
    expect(err).to.match(/Storefronts do not see it yet: The demo does not have fitment: imported/)
  })

  it('prints the first twenty bad lines and their count, imports nothing and exits 1', async () => {
    const text = `${HEAD}\n${Array.from({ length: 25 }, (_, at) => `S,20I${at},Kia,Rio`).join('\n')}\nS,2001,Kia,Rio\n`
    const { code, out, err } = await imported(text)
    expect([code, out]).to.deep.equal([1, ''])
    expect(err).to.match(/^line 2: year "20I0" is not a year from 1900 to 2100/)
    expect(err.match(/^line \d+:/gm)).to.have.lengthOf(20)
    expect(err).to.include('--all').and.include('x.csv has 25 bad lines: nothing was imported')
    expect((await imported(text, '--all')).err.match(/^line \d+:/gm)).to.have.lengthOf(25)
    const told = JSON.parse((await imported(text, '--json')).out)
    expect([told.outcome, told.badLines, told.bad.length]).to.deep.equal(['refused', 25, 25])
    const others = await imported(text, '--skip-bad')
    expect([others.code, /Skipped 25 bad lines of 26/.test(others.out)]).to.deep.equal([0, true])
  })

  it('names the required columns when there is no header line, without suggesting --skip-bad', async () => {
    for (const text of ['', 'part,qty\nA,1\n']) {
      const { code, out, err } = await imported(text)
      expect([code, out]).to.deep.equal([1, ''])
      expect(err).to.include('columns sku, year, make and model').and.include('fitment template prints an example')
      expect(err).to.not.match(/--skip-bad|bad line/)
    }
    const unclosed = (await imported(`${HEAD}\nA,2014,Kia,Rio\nB,2014,Kia,"Rio\n`)).err
    expect(unclosed).to.include('x.csv has 1 bad line: nothing was imported').and.not.include('--skip-bad')
    expect((await imported(`${HEAD}\nA,2014,Kia\n`)).err, 'there are no others').to.not.include('--skip-bad')
  })

  it('escapes the names of unknown columns, and prints one fitment as one', async () => {
    const name = `a\u001b[31mred\u009b${'x'.repeat(60)}`
    const { code, out, err } = await imported(`sku,year,make,model,universal,${name}\nA,2014,Kia,Rio,,\nB,,,,yes,\n`)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(err).to.not.match(/[\u001b\u009b]/)
    expect(err).to.include('Ignored columns: "a\\u001b[31mred\\u009bxxx').and.include('x…"')
    expect([code, out]).to.deep.equal([
      0,
      'Imported x.csv for demo sandbox: 1 fitment and 1 universal part: 2 SKUs, 1 vehicle.\n',
    ])
  })

  for (const [mistake, args, sentence] of [
    ['a missing file', ['import', 'nix.csv', ...demo], /nix\.csv cannot be read \(ENOENT\)/],
    ['an unknown merchant', ['import', 'x', '--merchant', 'x', '--mode', 'live'], /There is no merchant "x"/],
    ['an invalid market', ['import', 'x.csv', ...demo, '--market', 'x'.repeat(65)], /--market: .* longer than 64/],
    ['an unknown mode', ['clear', '--merchant', 'demo', '--mode', 'both'], /--mode takes live or sandbox, not "both"/],
    ['a missing merchant', ['export', '--mode', 'live'], /--merchant/],
  ] as const) {
    it(`explains ${mistake} in a sentence, and exits 2`, async () => {
      await writeFile(join(cwd, 'x.csv'), HEAD)
      const { code, out, err } = await host.run(['fitment', ...args], { cwd })
      expect([code, out]).to.deep.equal([2, ''])
      expect(err).to.match(sentence)
    })
  }
})
