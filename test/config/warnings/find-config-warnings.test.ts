import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { adapters } from '../../../src/adapters.ts'
import { parseConfigFile } from '../../../src/config/parse-config-file.ts'
import { findConfigWarnings } from '../../../src/config/warnings/find-config-warnings.ts'
import { certificates } from '../../webhooks/tls-certificates.ts'

describe('warnings about a valid forecourt.yaml', () => {
  let directory: string

  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'forecourt-warnings-'))
  })
  after(() => rmSync(directory, { recursive: true, force: true }))

  function warnings(text: string, env: Record<string, string> = {}): string[] {
    const parsed = parseConfigFile(text, join(directory, 'forecourt.yaml'), adapters, env)
    return findConfigWarnings(parsed).map(({ line, path, mistake }) => `${line ?? '-'} ${path}: ${mistake}`)
  }

  const erp = (address = 'https://erp.example') => `{ adapter: rest, address: "${address}", token: "\${T}" }`
  const allSystems = `{ inventory: ${erp()}, pricing: ${erp()}, accounting: ${erp()} }`
  const mail = 'mail: { url: "smtp://mail.example", from: a@shop.example }'
  const file = (live: string, more = '', merchant = '') =>
    `${mail}\n${more}\nmerchants:\n  acme:\n    name: A\n    currency: JMD\n    time_zone: UTC\n${merchant}    live: ${live}\n`
  const env = { T: 'a-token' }

  it('has none for a good file', () => {
    expect(warnings(file(allSystems), env)).to.deep.equal([])
    expect(warnings('merchants: { acme: { name: A, currency: JMD, time_zone: UTC } }')).to.deep.equal([])
  })

  it('names systems that are missing, and what does not work without them', () => {
    const [pricing, accounting, ...more] = warnings(file(`{ inventory: ${erp()} }`), env)
    expect(more).to.deep.equal([])
    expect(pricing).to.match(/^8 merchants\.acme\.live: has no pricing: /)
    expect(accounting).to.match(
      /^8 merchants\.acme\.live: has no accounting: shoppers cannot register, sign in or check out/,
    )
    expect(warnings(file('{}', '', '    sandbox: {}\n'))).to.deep.equal([])
  })

  it('names secrets that are in the file itself, without repeating them', () => {
    const inClear = erp().replace(`\${T}`, 'hunter2-hunter2')
    const text = `${mail.replace('smtp://', 'smtp://shop:s3cret@')}
store: postgres://app:s3cret@db.example/forecourt
tracing: { endpoint: "https://otlp.example/v1/traces", headers: { Authorization: s3cret, X-Team: shop } }
webhooks:
  key: ${Buffer.alloc(32, 1).toString('base64')}
merchants:
  acme:
    name: A
    currency: JMD
    time_zone: UTC
    hook_secret: hunter2-hunter2-hunter2
    live:
      inventory: &erp ${inClear}
      pricing: *erp
      accounting: *erp
`
    const found = warnings(text)
    expect(found).to.deep.equal([
      '1 mail.url: contains a password in plain text',
      '2 store: contains a password in plain text',
      '3 tracing.headers.Authorization: is a secret in plain text',
      '5 webhooks.key: is a secret in plain text',
      '11 merchants.acme.hook_secret: is a secret in plain text',
      '13 merchants.acme.live.inventory.token: is a secret in plain text',
    ])
    expect(found.join()).to.not.include('hunter2')
  })

  it('names passwords in the parameters and logins of URLs', () => {
    const settings = (store: string, endpoint: string) =>
      file(allSystems, `store: "${store}"\ntracing: { endpoint: "${endpoint}" }`)
    expect(
      warnings(settings('postgres://app@db.example/shop?password=x', 'https://team:x@otlp.example/v1/traces'), env),
    ).to.deep.equal([
      '2 store: contains a password in plain text',
      '3 tracing.endpoint: contains a password in plain text',
    ])
    expect(
      warnings(
        settings('postgres://db.example/shop?sslmode=require&sslkey=/etc/db.key', 'https://x@otlp.example'),
        env,
      ),
    ).to.deep.equal(['3 tracing.endpoint: contains a password in plain text'])
    expect(warnings(settings('sqlite:shop.db', 'https://otlp.example/v1/traces?api-key=x'), env)).to.deep.equal([
      '3 tracing.endpoint: contains a password in plain text',
    ])
  })

  it('knows this machine under its IPv4-mapped address', () => {
    const here = erp('http://[::ffff:127.0.0.1]:9000')
    expect(
      warnings(
        file(
          `{ inventory: ${here}, pricing: ${here}, accounting: ${here} }`,
          'operations: { host: "::ffff:127.0.0.1", port: 9001 }\npublic_url: http://[0:0:0:0:0:ffff:7f00:1]/',
        ),
        env,
      ),
    ).to.deep.equal([])
  })

  it('takes a secret of which a variable is a part for one from the environment', () => {
    const text = file(allSystems, `store: "postgres://app:\${DB}@db.example/forecourt"`)
    expect(warnings(text, { ...env, DB: 'x' })).to.deep.equal([])
  })

  it('names registrations that wait for an email that is never sent', () => {
    const noMail = (text: string) => text.replace(mail, '')
    for (const merchant of ['', '    registration: verified\n'])
      expect(warnings(noMail(file(allSystems, '', merchant)), env).join()).to.match(
        /acme(\.registration)?: new shoppers must verify their email address, but no mail server is configured$/,
      )
    expect(warnings(noMail(file(allSystems, '', '    registration: immediate\n')), env)).to.deep.equal([])
    expect(warnings(file(allSystems).replace('smtp://mail.example', 'log:'), env).join()).to.include(
      'emails are only written to the log',
    )
  })

  it('names what can be read in transit', () => {
    const plain = `{ inventory: ${erp('http://erp.example')}, pricing: ${erp('http://127.0.0.1:81')}, accounting: ${erp('http://[::1]:81')} }`
    const settings = `public_url: http://shop.example
operations: { host: 0.0.0.0 }
tracing: { endpoint: "http://otlp.example/v1/traces", headers: { X-Key: "\${T}" } }`
    expect(warnings(file(plain, settings), env)).to.deep.equal([
      '2 public_url: is http: pictures and links of the API can be read and changed in transit',
      '3 operations.host: accepts connections from other machines without https: passwords of operators can be read in transit',
      '4 tracing.endpoint: sends its headers over plain http to another machine',
      '10 merchants.acme.live.inventory.address: sends token over plain http to another machine',
    ])
    const local = 'public_url: http://127.0.0.1:8080\noperations: { host: 0.0.0.0, url: "https://ops.example" }'
    expect(warnings(file(allSystems, local), env)).to.deep.equal([])
  })

  it('names a certificate that clients refuse', () => {
    const { cert, key } = certificates.localhost
    writeFileSync(join(directory, 'api.pem'), cert)
    writeFileSync(join(directory, 'api.key'), key)
    const text = file(allSystems, 'listen: { tls: { cert: api.pem, key: api.key } }')
    const parsed = parseConfigFile(text, join(directory, 'forecourt.yaml'), adapters, env)
    const found = (time: string) =>
      findConfigWarnings(parsed, Date.parse(time)).map(({ line, path, mistake }) => `${line} ${path}: ${mistake}`)
    const pem = join(directory, 'api.pem')
    expect(found('2030-01-01')).to.deep.equal([])
    expect(found('2200-01-01')).to.deep.equal([
      `2 listen.tls.cert: ${pem} expired on 2126-10-28T08:10:53.000Z, so clients refuse it`,
    ])
    expect(found('2020-01-01').join()).to.include('is not valid before 2026-11-21')
  })

  it('names folders that this account cannot write', () => {
    writeFileSync(join(directory, 'a-file'), '')
    const settings =
      'data: ./a-file/data\nlog: { file: ./a-file/logs/forecourt.log }\nstore: sqlite:a-file/forecourt.db'
    expect(warnings(file(allSystems, settings), env)).to.deep.equal([
      `2 data: ${join(directory, 'a-file')} is not a folder`,
      `3 log.file: ${join(directory, 'a-file')} is not a folder`,
      `4 store: ${join(directory, 'a-file')} is not a folder`,
    ])
    expect(warnings(file(allSystems, 'data: a-file'), env)).to.deep.equal([
      `2 data: ${join(directory, 'a-file')} is not a folder`,
    ])
    expect(warnings(file(allSystems, 'log: { file: . }'), env).join()).to.include('(EISDIR)')
    expect(warnings(file(allSystems, 'data: ./not/there/yet'), env)).to.deep.equal([])
  })
})
