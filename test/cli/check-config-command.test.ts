import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { useCommandHostFolder } from '../support/command-host-folder.ts'

describe('forecourt config check', () => {
  const folder = useCommandHostFolder()

  it('accepts a valid file', async () => {
    await writeFile(join(folder.cwd, 'valid.yaml'), 'merchants: { acme: { name: A, currency: JMD, time_zone: UTC } }')
    const { code, out } = await folder.run(['config', 'check', 'valid.yaml'], { cwd: folder.cwd })
    expect(await folder.run(['config', 'check', '--config', 'valid.yaml'], { cwd: folder.cwd })).to.include({
      code,
      out,
    })
    expect(code).to.equal(0)
    expect(out)
      .to.match(/valid\.yaml is valid/)
      .and.match(/acme/)
  })

  it('checks the settings of the demo where there is no file', async () => {
    const { code, out, err } = await folder.run(['config', 'check'], { cwd: folder.cwd, env: { PORT: '18300' } })
    expect([code, err]).to.deep.equal([0, ''])
    expect(out)
      .to.match(/^There is no forecourt\.yaml here, so commands use the demo\. /)
      .and.include('127.0.0.1:18300')
      .and.include('config check <file>')
    const wrong = await folder.run(['config', 'check'], { cwd: folder.cwd, env: { PORT: 'x' } })
    expect([wrong.code, wrong.err]).to.deep.equal([2, wrong.err])
    expect(wrong.err).to.include('PORT: "x" is not a port')
  })

  it('prints the addresses of the systems', async () => {
    const inventory = '{ adapter: rest, address: "http://127.0.0.1:18292/nosuch/", token: t }'
    const acme = `{ name: A, currency: JMD, time_zone: UTC, live: { inventory: ${inventory} } }`
    await writeFile(join(folder.cwd, 'paths.yaml'), `merchants: { acme: ${acme} }`)
    const { out } = await folder.run(['config', 'check', 'paths.yaml'], { cwd: folder.cwd })
    expect(out).to.include('inventory: rest http://127.0.0.1:18292/nosuch\n')
  })

  it('says which shoppers cannot register without a mail server', async () => {
    const text = `merchants:
  acme:
    name: A
    currency: JMD
    time_zone: UTC
    registration: immediate
    live:
      inventory: &erp { adapter: rest, address: "https://erp.example", token: "\${TOKEN}" }
      pricing: *erp
      accounting: *erp
`
    const check = async (mail: string) => {
      await writeFile(join(folder.cwd, 'mail.yaml'), mail + text)
      return folder.run(['config', 'check', 'mail.yaml'], { cwd: folder.cwd, env: { TOKEN: 'x' } })
    }
    const sentence =
      ': a customer who already exists in accounting cannot register, because only an email proves who they are. To change that, set mail.url and mail.from\n'
    const missing = await check('')
    expect([missing.code, missing.out.split('\n')[0]]).to.deep.equal([0, 'mail.yaml is valid.'])
    expect(missing.out).to.include(`    no mail server is configured${sentence}`)
    const from = 'from: "A <a@a.example>"'
    expect((await check(`mail: { url: "log:", ${from} }\n`)).out).to.include(
      `    emails are only written to the log${sentence}`,
    )
    expect((await check(`mail: { url: "smtp://mail.example", ${from} }\n`)).out).to.not.include('register')
  })

  it('exits with 1 for a valid file with warnings, and prints them with line and remedy', async () => {
    const text = `merchants:
  acme:
    name: A
    currency: JMD
    time_zone: UTC
    registration: immediate
    live:
      inventory: { adapter: rest, address: "https://erp.example", token: s3cret }
      pricing: { adapter: rest, address: "https://erp.example", token: "\${TOKEN}" }
`
    await writeFile(join(folder.cwd, 'doubtful.yaml'), text)
    const { code, out, err } = await folder.run(['config', 'check', 'doubtful.yaml'], {
      cwd: folder.cwd,
      env: { TOKEN: 'x' },
    })
    expect([code, err]).to.deep.equal([1, ''])
    expect(out).to.match(/^doubtful\.yaml is valid, with 2 warnings:\n/)
    expect(out).to.match(
      /\n {2}line 7, merchants\.acme\.live: has no accounting: .*\. Add merchants\.acme\.live\.accounting/,
    )
    expect(out).to.match(/\n {2}line 8, merchants\.acme\.live\.inventory\.token: is a secret in plain text\. /)
    expect(out).to.include('pricing: rest https://erp.example').and.not.include('s3cret')
  })

  it('reports every mistake at once, with path and remedy', async () => {
    const text =
      'listen: { port: x }\nmerchants: { acme: { name: A, currency: JMD, time_zone: Mars, live: { pricing: { adapter: sap, address: "https://a" } } } }'
    await writeFile(join(folder.cwd, 'forecourt.yaml'), text)
    const { code, out, err } = await folder.run(['config', 'check'], { cwd: folder.cwd })
    expect([code, out]).to.deep.equal([2, ''])
    expect(err).to.match(/3 mistakes/)
    for (const path of ['listen.port', 'merchants.acme.time_zone', 'merchants.acme.live.pricing.adapter'])
      expect(err).to.include(path)
    expect(err).to.include('Use one of')
    await rm(join(folder.cwd, 'forecourt.yaml'))
  })
})
