import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCommand } from '../support/command.ts'
import { createCommandHost } from '../support/command-host.ts'

describe('forecourt', () => {
  const host = createCommandHost()
  let cwd: string

  before(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'forecourt-cli-'))
  })
  after(() => {
    host.stop()
    return rm(cwd, { recursive: true, force: true })
  })

  it('tells its version', async () => {
    const { code, out } = await runCommand(['--version'], { cwd })
    expect([code, /^\d+\.\d+\.\d+\n$/.test(out)]).to.deep.equal([0, true])
  })

  it('helps, with every command', async () => {
    const [general, ...each] = await Promise.all(
      [
        [],
        ['serve'],
        ['demo'],
        ['sandbox'],
        ['keys'],
        ['keys', 'issue'],
        ['keys', 'list'],
        ['keys', 'revoke'],
        ['keys', 'rotate'],
        ['config'],
        ['config', 'check'],
        ['migrate'],
        ['backup'],
        ['doctor'],
        ['sandbox', 'outcomes'],
        ['webhooks'],
        ['webhooks', 'listen'],
        ['webhooks', 'key'],
        ['fitment'],
        ['fitment', 'import'],
      ].map((command) => host.run([...command, '--help'], { cwd })),
    )
    for (const { code, out, err } of [general!, ...each]) {
      expect([code, err]).to.deep.equal([0, ''])
      expect(out).to.match(/^Usage: forecourt/)
    }
    for (const command of [
      'serve',
      'demo',
      'sandbox',
      'keys',
      'config',
      'migrate',
      'backup',
      'doctor',
      'webhooks',
      'fitment',
    ])
      expect(general!.out).to.include(`\n  ${command}`)
  })

  for (const [what, args, sentence] of [
    ['an unknown command', ['dance'], /dance/],
    ['an unknown option', ['keys', 'list', '--colour'], /--colour/],
    ['a missing option', ['keys', 'issue'], /--merchant/],
    ['a missing argument', ['keys', 'revoke'], /key_id/],
    ['a port that is none', ['demo', '--sandbox-port', 'many'], /port/],
    ['a system that is none', ['sandbox', '--only', 'warehouse'], /There is no system "warehouse"/],
    ['a fault that is none', ['sandbox', 'fault', 'pricing'], /--hang/],
    ['a config that is not there', ['serve', '--config', 'nowhere.yaml'], /no such file/],
  ] as const) {
    it(`says in a sentence what is wrong with ${what}, and exits 2`, async () => {
      const { code, out, err } = await host.run(args, { cwd })
      expect({ code, out }).to.deep.equal({ code: 2, out: '' })
      expect(err)
        .to.match(sentence)
        .and.not.match(/\n\s+at /)
    })
  }

  describe('config check', () => {
    it('is content with a file that is well', async () => {
      await writeFile(join(cwd, 'well.yaml'), 'merchants: { acme: { name: A, currency: JMD, time_zone: UTC } }')
      const { code, out } = await host.run(['config', 'check', 'well.yaml'], { cwd })
      expect(await host.run(['config', 'check', '--config', 'well.yaml'], { cwd })).to.include({ code, out })
      expect(code).to.equal(0)
      expect(out)
        .to.match(/well\.yaml is well/)
        .and.match(/acme/)
    })

    it('shows where systems are, with their paths', async () => {
      const inventory = '{ adapter: rest, address: "http://127.0.0.1:18292/nosuch/", token: t }'
      const acme = `{ name: A, currency: JMD, time_zone: UTC, live: { inventory: ${inventory} } }`
      await writeFile(join(cwd, 'paths.yaml'), `merchants: { acme: ${acme} }`)
      const { out } = await host.run(['config', 'check', 'paths.yaml'], { cwd })
      expect(out).to.include('inventory: rest http://127.0.0.1:18292/nosuch\n')
    })

    it('reports every mistake at once, with path and remedy', async () => {
      const text =
        'listen: { port: x }\nmerchants: { acme: { name: A, currency: JMD, time_zone: Mars, live: { pricing: { adapter: sap, address: "https://a" } } } }'
      await writeFile(join(cwd, 'forecourt.yaml'), text)
      const { code, out, err } = await host.run(['config', 'check'], { cwd })
      expect([code, out]).to.deep.equal([2, ''])
      expect(err).to.match(/3 mistakes/)
      for (const path of ['listen.port', 'merchants.acme.time_zone', 'merchants.acme.live.pricing.adapter'])
        expect(err).to.include(path)
      expect(err).to.include('Use one of')
      await rm(join(cwd, 'forecourt.yaml'))
    })
  })
})
