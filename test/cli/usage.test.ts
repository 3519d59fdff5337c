import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCommand } from '../support/command.ts'
import { createCommandHost } from '../support/command-host.ts'

interface CommandCase {
  command: string
  /** The smallest complete command line. */
  complete?: string
  /** Command lines with one wrong value, which is the last word. */
  wrong?: readonly string[]
  /** A misspelled subcommand with arguments, and the suggestion. */
  misspelled?: readonly [line: string, suggestion: string]
}

const tenant = '--merchant demo --mode sandbox'
const key = `${tenant} --kind publishable`

const cases: readonly CommandCase[] = [
  { command: '', misspelled: ['kyes list --json', 'keys'] },
  { command: 'start', wrong: ['--sandbox-port many', '--sandbox-port 0'] },
  { command: 'serve', wrong: ['--sandbox-port 65433'] },
  { command: 'demo', wrong: ['--sandbox-port 80.5'] },
  { command: 'init', wrong: ['--yes --time-zone Mars', '--yes --back-office sap'] },
  {
    command: 'sandbox',
    misspelled: ['stok BP-9 5 --merchant demo', 'stock'],
    wrong: ['--only prcing', '--merchants media', '--merchants ../x', '--sandbox-port x'],
  },
  { command: 'sandbox protocol' },
  { command: 'sandbox outcomes' },
  {
    command: 'sandbox fault',
    complete: 'pricing',
    wrong: [
      'prcing',
      'pricing --delay soon',
      'pricing --delay 1.5',
      'pricing --error-rate 2',
      'pricing --status 200',
      'pricing --status 503.5',
      'pricing --drop-after half',
      'pricing --late -1',
      'pricing --late 2000 --late-rate all',
    ],
  },
  { command: 'sandbox orders', wrong: ['--sandbox-port x'] },
  { command: 'sandbox ship', complete: 'last', wrong: ['last --sku BP-1001 --quantity 0'] },
  { command: 'sandbox deliver', complete: 'last' },
  { command: 'sandbox cancel', complete: 'last' },
  { command: 'sandbox reject', complete: 'last' },
  { command: 'sandbox invoice', complete: 'last' },
  { command: 'sandbox settle', complete: 'last', wrong: ['last --amount all'] },
  { command: 'sandbox void', complete: 'last' },
  { command: 'sandbox stock', complete: 'BP-1001 5', wrong: ['BP-1001 many'] },
  { command: 'sandbox price', complete: 'BP-1001 5', wrong: ['BP-1001 -5', 'BP-1001 free'] },
  { command: 'sandbox withdraw', complete: 'BP-1001' },
  { command: 'sandbox restore', complete: 'BP-1001' },
  { command: 'webhooks', misspelled: ['lisen --port 4600', 'listen'] },
  {
    command: 'webhooks listen',
    wrong: ['--port x', '--fail 200', '--fail no', '--key k --api localhost', '--forward 3000'],
  },
  { command: 'webhooks key' },
  { command: 'webhooks renew-secrets' },
  { command: 'fitment', misspelled: ['improt fitment.csv', 'import'] },
  {
    command: 'fitment import',
    complete: `file.csv ${tenant}`,
    wrong: ['file.csv --mode live --merchant nobody', 'file.csv --merchant demo --mode lve'],
  },
  { command: 'fitment status' },
  { command: 'fitment export', complete: tenant, wrong: ['--merchant demo --mode both'] },
  { command: 'fitment clear', complete: tenant, wrong: ['--merchant demo --mode both'] },
  { command: 'fitment template' },
  { command: 'references', misspelled: ['improt references.csv', 'import'] },
  {
    command: 'references import',
    complete: `file.csv ${tenant}`,
    wrong: [
      'file.csv --mode live --merchant nobody',
      'file.csv --merchant demo --mode lve',
      `file.csv ${tenant} --format xml`,
      `file.csv ${tenant} --format pies --type-codes S`,
    ],
  },
  { command: 'references status' },
  { command: 'references export', complete: tenant, wrong: ['--merchant demo --mode both'] },
  { command: 'references clear', complete: tenant, wrong: ['--merchant demo --mode both'] },
  { command: 'references template' },
  { command: 'mirror', misspelled: ['serach demo pad', 'search'] },
  { command: 'mirror status', wrong: ['nobody', 'demo --mode both'] },
  { command: 'mirror rebuild', complete: 'demo', wrong: ['nobody', 'demo --mode both'] },
  {
    command: 'mirror search',
    complete: 'demo pad',
    wrong: ['demo pad --mode both', 'demo pad --limit 0', 'demo pad --limit many'],
  },
  { command: 'mirror accept-deletions', complete: 'demo', wrong: ['nobody', 'demo --mode both'] },
  { command: 'maintenance', misspelled: ['strat acme pricing', 'start'] },
  {
    command: 'maintenance start',
    complete: 'demo pricing --until 1h',
    wrong: [
      '--until 1h demo prcing',
      'demo pricing --until 1h --mode both',
      'demo pricing --until soon',
      'demo pricing --until 8d',
    ],
  },
  { command: 'maintenance end', complete: 'demo pricing', wrong: ['demo prcing', 'demo pricing --mode both'] },
  { command: 'maintenance list', wrong: ['--config nowhere.yaml'] },
  { command: 'keys', misspelled: ['isue --merchant demo', 'issue'] },
  {
    command: 'keys issue',
    complete: key,
    wrong: [
      `${tenant} --kind public`,
      '--merchant demo --kind secret --mode test',
      `${key} --rate many`,
      `${key} --rate 1e3`,
      `${key} --rate-per-client 0`,
      `${key} --origins shop.example`,
      `${key} --scopes storefront:cart`,
      `${key} --expires soon`,
    ],
  },
  { command: 'keys list', wrong: ['--merchant nobody'] },
  { command: 'keys revoke', complete: 'key_1' },
  { command: 'keys rotate', complete: 'key_1', wrong: ['key_1 --overlap 5'] },
  { command: 'operators', misspelled: ['pasword anna', 'password'] },
  { command: 'operators add', complete: 'anna --role support', wrong: ['--role support Anna', 'anna --role boss'] },
  { command: 'operators list' },
  { command: 'operators disable', complete: 'anna' },
  { command: 'operators enable', complete: 'anna' },
  { command: 'operators password', complete: 'anna' },
  { command: 'operators role', complete: 'anna support', wrong: ['anna boss'] },
  { command: 'migrate', wrong: ['--config nowhere.yaml'] },
  { command: 'backup', complete: '--to copy.db' },
  { command: 'reload', wrong: ['--config nowhere.yaml'] },
  { command: 'service', misspelled: ['instal --root /tmp', 'install'] },
  { command: 'service install' },
  { command: 'service remove' },
  { command: 'why', complete: 'abc' },
  { command: 'logs', wrong: ['--level loud', '--time-zone Mars', '--lines many', '--config nowhere.yaml'] },
  { command: 'restore-drill', complete: 'copy.db', wrong: ['nowhere.db'] },
  {
    command: 'doctor',
    wrong: ['--sample few', '--timeout 1s', '--within 0', '--mode both', '--system warehouse'],
  },
  { command: 'config', misspelled: ['chek forecourt.yaml', 'check'] },
  { command: 'config check', wrong: ['nowhere.yaml'] },
]

describe('the command line', () => {
  const host = createCommandHost()
  let cwd: string

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-usage-'))
  })
  after(() => {
    host.stop()
    return rm(cwd, { recursive: true, force: true })
  })

  const run = (...words: string[]) => host.run(words.join(' ').split(' ').filter(Boolean), { cwd })
  const usageOf = (command: string) => `Usage: ${['forecourt', command].filter(Boolean).join(' ')} `

  /** The error of a command line that commander refuses: what is wrong, perhaps a suggestion, then how the command is used. */
  async function refuse(command: string, line: string, error: string): Promise<void> {
    const { code, out, err } = await run(command, line)
    expect({ code, out }).to.deep.equal({ code: 2, out: '' })
    expect(err).to.match(/^error: .+\n(\(Did you mean .+\?\)\n)?Usage: .+\n\(.*--help.*\)\n$/)
    expect(err)
      .to.include(error)
      .and.include(`\n${usageOf(command)}`)
  }

  for (const { command, complete = '', wrong = [], misspelled } of cases) {
    describe(`forecourt ${command}`, () => {
      it('has help', async () => {
        const { code, out, err } = await run(command, '--help')
        expect([code, err]).to.deep.equal([0, ''])
        expect(out.startsWith(usageOf(command)), out).to.equal(true)
        expect(out).to.match(/^\nOptions:$|\n\nOptions:\n/)
      })

      if (misspelled) {
        it('suggests the subcommand for a misspelled one', () =>
          refuse(
            command,
            misspelled[0],
            `unknown command '${misspelled[0].split(' ')[0]}'\n(Did you mean ${misspelled[1]}?)`,
          ))
        it('refuses an unknown subcommand', () => refuse(command, 'qqqqqqqq', `unknown command 'qqqqqqqq'\nUsage`))
      } else {
        it('refuses a further argument', () =>
          refuse(command, `${complete} superfluous superfluous`, 'too many arguments'))
      }

      it('names an unknown option, and suggests one', async () => {
        await refuse(command, `${complete} --qqqqqqqq`, "unknown option '--qqqqqqqq'\nUsage")
        await refuse(command, `${complete} --hepl`, "unknown option '--hepl'\n(Did you mean --help?)")
      })

      if (complete !== '')
        it('says what is missing', () => refuse(command, '', complete.startsWith('-') ? 'required option' : 'required'))

      for (const line of wrong)
        it(`explains what is wrong with ${line}`, async () => {
          const { code, out, err } = await run(command, line)
          expect({ code, out }).to.deep.equal({ code: 2, out: '' })
          expect(err)
            .to.include(line.split(' ').at(-1))
            .and.not.match(/\n\s+at |^forecourt: /)
        })
    })
  }

  it('has no command that is not tested here', async () => {
    const found = new Set<string>()
    for (const { command, misspelled } of cases) {
      if (!misspelled) continue
      const { out } = await run(command, '--help')
      for (const [, name] of out
        .split('\nCommands:\n')[1]!
        .split('\nExample')[0]!
        .matchAll(/^ {2}(\S+)/gm))
        if (name !== 'help') found.add([command, name].filter(Boolean).join(' '))
    }
    expect([...found].toSorted()).to.deep.equal(cases.flatMap(({ command }) => command || []).toSorted())
  })

  it('prints its version', async () => {
    const { code, out } = await runCommand(['--version'], { cwd })
    expect([code, /^\d+\.\d+\.\d+\n$/.test(out)]).to.deep.equal([0, true])
  })

  for (const [mistake, args, sentence] of [
    ['a missing fault', ['sandbox', 'fault', 'pricing'], /--hang/],
    ['a missing configuration file', ['serve', '--config', 'nowhere.yaml'], /no such file/],
  ] as const) {
    it(`explains ${mistake} in a sentence, and exits 2`, async () => {
      const { code, out, err } = await host.run(args, { cwd })
      expect({ code, out }).to.deep.equal({ code: 2, out: '' })
      expect(err)
        .to.match(sentence)
        .and.not.match(/\n\s+at /)
    })
  }

  it('refuses a backup without a store', async () => {
    const { code, err } = await run('backup', '--to', 'copy.db')
    expect([code, /There is no store at .* --config/.test(err)]).to.deep.equal([2, true])
  })
})
