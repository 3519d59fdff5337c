import { expect } from 'chai'
import { findMistakes, minimalFile } from '../config-fixtures.ts'

const lines = (text: string, env: Record<string, string> = {}) =>
  findMistakes(text, env).map(({ line, path, mistake, remedy }) => `${line} ${path}: ${mistake}. ${remedy}`)

/** A value of every wrong kind. */
const manyMistakes = `opertions: { port: 1 }
listen: { port: 70000, host: "" }
deadline_ms: soon
operations: { enabled: yes please, url: nonsense }
cache: { max_mib: 4 }
log: { level: loud, file: 7 }
tracing: { endpoint: "http://a", sample: 1.5 }
webhooks: { ports: [], allow: "localhost" }
drain: 5
public_url:
merchants:
  acme:
    name: 12
    currency: dollars
    registration: verifed
    hook_secret: short
    live:
      inventory: { adapter: rset, address: "https://a.example", token: t }
      pricing:
        adapter: tryton
        address: https://erp.example
        user: 12
        company: 0
        country: jm
        databse: x
`

describe('the text of a mistake in forecourt.yaml', () => {
  it('is a sentence with line, place and remedy', () => {
    expect(lines(manyMistakes)).to.deep.equal([
      '1 opertions: is not a setting. Did you mean operations?',
      '2 listen.port: is more than 65535. Give a whole number from 0 to 65535',
      '2 listen.host: is empty. Give text',
      '3 deadline_ms: is not a whole number. Give a whole number from 200 to 60000',
      '4 operations.enabled: is neither true nor false. Give true or false',
      '4 operations.url: is not a usable URL. Give the http:// or https:// URL at which browsers of operators reach the pages, without a path',
      '5 cache.max_mib: is less than 8. Give a whole number from 8 to 65536',
      '6 log.level: is not a known value. Use one of trace, debug, info, warn, error',
      '6 log.file: is a number, not text. Put it in quotes',
      '7 tracing.sample: is more than 1. Give a number from 0 to 1',
      '8 webhooks.ports: is an empty list. Give ports from 1 to 65535',
      '8 webhooks.allow: is not a list. Give a host, or a host and a port, such as localhost or 10.1.2.3:9000; patterns and ranges are not supported',
      '9 drain: is not a group of settings. Give a group of settings: delay_seconds, finish_seconds',
      '10 public_url: is empty. Give the http:// or https:// URL at which browsers of shoppers reach the API, without ? and #',
      '12 merchants.acme: time_zone is missing. Add it',
      '13 merchants.acme.name: is a number, not text. Put it in quotes',
      '14 merchants.acme.currency: is not a currency. Give an ISO 4217 code such as JMD',
      '15 merchants.acme.registration: is not a known value. Did you mean verified? Use one of verified, immediate',
      '16 merchants.acme.hook_secret: is shorter than 16 characters. Give a secret of 16 to 256 characters',
      '18 merchants.acme.live.inventory.adapter: unknown adapter "rset". Did you mean rest? Use one of odoo, rest, tryton',
      '19 merchants.acme.live.pricing: database and password are missing. Add them',
      '22 merchants.acme.live.pricing.user: is a number, not text. Put it in quotes',
      '23 merchants.acme.live.pricing.company: is less than 1. Give a whole number of at least 1',
      '24 merchants.acme.live.pricing.country: does not have the right form. Expected: ISO 3166-1 code for addresses without a country in Tryton',
      '25 merchants.acme.live.pricing.databse: is not a setting. Did you mean database?',
    ])
  })

  it('checks a merchant whose id cannot be one as any other', () => {
    expect(lines('merchants:\n  "Acme & Co": { name: A, currency: X, time_zone: Mars, colour: red }')).to.deep.equal([
      '2 merchants.Acme & Co: cannot be a merchant id. A merchant id has 1 to 63 characters: a-z, 0-9, - and _',
      '2 merchants.Acme & Co.currency: is not a currency. Give an ISO 4217 code such as JMD',
      '2 merchants.Acme & Co.time_zone: "Mars" is not a time zone. Give an IANA name such as America/Jamaica',
      '2 merchants.Acme & Co.colour: is not a setting. Use one of name, currency, time_zone, bands, max_age_seconds, registration, mail, mirror, hook_secret, contact, live, sandbox, or remove it',
    ])
  })

  it('has the line of what an alias or a merge stands for', () => {
    const acme = `
merchants:
  acme:
    name: A
    currency: JMD
    time_zone: UTC
    live:
      inventory: &erp
        adapter: rest
        address: ftp://a
        token: t
      pricing: *erp
      accounting:
        <<: *erp
        limits: { timeout_ms: 1 }
`
    expect(findMistakes(acme).map(({ line, path }) => `${line} ${path}`)).to.deep.equal([
      '10 merchants.acme.live.inventory.address',
      '10 merchants.acme.live.pricing.address',
      '10 merchants.acme.live.accounting.address',
      '15 merchants.acme.live.accounting.limits.timeout_ms',
    ])
  })

  it('has the line of a variable that is missing, and of one with a wrong value', () => {
    const text = `listen: { port: "\${P}" }\ndeadline_ms: "\${MISSING}"${minimalFile}`
    expect(lines(text, { P: 'eighty' })).to.deep.equal([
      '1 listen.port: is not a whole number (from environment variable P). Give a whole number from 0 to 65535',
      '2 deadline_ms: environment variable MISSING is not set. Set MISSING before starting',
    ])
  })

  it('has the line of a mistake in the YAML', () => {
    const [found] = findMistakes('data: a\n\tstore: b\n')
    expect(found).to.include({ line: 2 })
  })

  it('names a setting that is given twice, with both lines', () => {
    const text = `data: a
data: b
merchants:
  acme:
    name: A
    currency: JMD
    time_zone: UTC
    live:
      inventory: { adapter: rest, address: "https://a", token: t, "token": u }
    "name": B
    name: C
`
    expect(lines(text)).to.deep.equal([
      '2 data: is already set on line 1. Remove one of the two',
      '9 merchants.acme.live.inventory.token: is already set on line 9. Remove one of the two',
      '10 merchants.acme.name: is already set on line 5. Remove one of the two',
      '11 merchants.acme.name: is already set on line 5. Remove one of the two',
    ])
    expect(lines(`webhooks:\n  allow:\n    - { a: 1, a: 2 }${minimalFile}`)).to.deep.equal([
      '3 webhooks.allow.0.a: is already set on line 3. Remove one of the two',
    ])
  })

  it('refuses a pattern of hosts', () => {
    const [found, ...more] = findMistakes(`webhooks: { allow: ["*"] }\nmedia: { allow: [10.0.0.1] }${minimalFile}`)
    expect(found).to.include({ path: 'webhooks.allow.0', mistake: 'is not a host' })
    expect([more, found!.remedy.includes('patterns and ranges are not supported')]).to.deep.equal([[], true])
  })

  it('refuses a port that two listeners have by default', () => {
    const paths = (text: string, env = {}) => findMistakes(`${text}${minimalFile}`, env).map(({ path }) => path)
    expect(paths('operations: { port: 8080 }')).to.deep.equal(['operations.port'])
    expect(paths('metrics: { port: 8081 }')).to.deep.equal(['metrics.port'])
    expect(paths('metrics: { port: 9001 }', { PORT: '9000' })).to.deep.equal(['metrics.port'])
    expect(paths('metrics: { port: 8081 }', { PORT: '9000' })).to.deep.equal([])
    expect(paths('metrics: { port: 8081 }\noperations: { enabled: false }')).to.deep.equal([])
  })

  it('takes numbers and booleans of any setting from the environment', () => {
    const text = `listen: { port: "\${PORT}" }\nembedded_sandbox: "\${YES}"\nwebhooks: { ports: ["\${PORT}"] }${minimalFile}`
    expect(findMistakes(text, { PORT: '8443', YES: 'true' })).to.deep.equal([])
  })
})
