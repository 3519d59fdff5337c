import { expect } from 'chai'
import { ConfigError } from '../../../src/config/config-error.ts'
import { readDefaultConfig } from '../../../src/config/conversion/default-config.ts'
import { completeFile, findMistakes, key, minimalFile, parse, secrets } from '../config-fixtures.ts'

describe('forecourt.yaml', () => {
  it('has defaults for everything but merchants', () => {
    const config = parse(minimalFile)
    expect(config.listen).to.deep.equal({ host: '127.0.0.1', port: 8080 })
    expect(config.store).to.match(/^sqlite:.*forecourt\.db$/)
    expect(config.merchants).to.deep.equal([
      {
        merchant: 'acme',
        name: 'Acme',
        currency: 'JMD',
        timeZone: 'America/Jamaica',
        bands: { low: 5, hysteresis: 2 },
        mirror: { maxAgeMs: 60_000 },
        live: {},
        sandbox: null,
      },
    ])
  })

  it('reads every setting, with secrets from the environment', () => {
    const { merchants, ...config } = parse(completeFile, secrets)
    expect(config).to.deep.equal({
      listen: { host: '0.0.0.0', port: 9000 },
      metrics: { host: '127.0.0.1', port: 9100 },
      operations: { host: '10.0.0.5', port: 9_200, metrics: true, url: 'https://ops.acme.example' },
      tracing: { endpoint: 'http://127.0.0.1:4318/v1/traces', sample: 0.25, headers: { 'X-Key': 'of-the-collector' } },
      drain: { delayMs: 5_000, finishMs: 20_000 },
      dataDirectory: '/var/lib/forecourt',
      store: 'sqlite:/var/lib/forecourt/forecourt.db',
      log: { file: '/var/log/forecourt.log', level: 'warn' },
      cacheBytes: 64 * 1_048_576,
      deadlineMs: 1_500,
      webhooks: { keys: [key(1), key(2)], ports: [443, 8_443], allow: ['localhost', '10.1.2.3:9000'] },
      publicUrl: 'https://api.acme.example/parts',
      media: { maxBytes: 200 * 1_048_576, allow: ['nas.acme.example'] },
      orders: { orderDetailsMs: 400 * 86_400_000 },
      feedIntervalMs: 30_000,
      embeddedSandbox: false,
    })
    const { live, sandbox, bands, mail, hookSecret } = merchants[0]!
    expect([mail, hookSecret]).to.deep.equal([{ alerts: 'Acme <it@acme.example>' }, 'a secret of the ERP'])
    expect([sandbox, bands]).to.deep.equal([{}, { low: 10, hysteresis: 3 }])
    expect(live.inventory).to.deep.include({ address: 'https://stock.example/acme', settings: { token: 's3cret' } })
    expect(live.pricing?.limits).to.deep.equal({ timeoutMs: 250, concurrency: 8, perMinute: 600, queue: 4 })
    expect(live.pricing?.maxResponseBytes).to.equal(2 * 1_048_576)
  })

  it('has an operations listener on the next port, and no tracing, by default', () => {
    const usual = parse(minimalFile)
    expect(usual.operations).to.deep.equal({ host: '127.0.0.1', port: 8_081, metrics: false })
    expect([usual.drain, 'tracing' in usual]).to.deep.equal([{ delayMs: 0, finishMs: 10_000 }, false])
    expect(usual.orders).to.deep.equal({ orderDetailsMs: 90 * 86_400_000 })
    const portOf = (text: string) => parse(`${text}${minimalFile}`).operations?.port ?? null
    expect(
      [
        'listen: { port: 9000 }',
        'listen: { port: 0 }',
        'operations: { port: 7000 }',
        'operations: { enabled: false }',
      ].map(portOf),
    ).to.deep.equal([9_001, 0, 7_000, null])
  })

  it('polls for changes every five seconds, at another interval, or never', () => {
    const interval = (feed: string) => parse(`${feed}${minimalFile}`).feedIntervalMs
    expect(
      ['', 'feed: {}', 'feed: { interval_seconds: 1 }', 'feed: { interval_seconds: 0 }'].map(interval),
    ).to.deep.equal([...[5_000, 5_000, 1_000, null]])
  })

  it('runs the embedded sandbox by default only when no merchant is live', () => {
    const live = '{ pricing: { adapter: rest, address: "http://127.0.0.1:9", token: t } }'
    const liveFile = `merchants: { acme: { name: A, currency: JMD, time_zone: UTC, live: ${live} } }`
    expect([minimalFile, liveFile].map((text) => parse(text).embeddedSandbox)).to.deep.equal([true, false])
    expect(parse(`embedded_sandbox: true\n${liveFile}`).embeddedSandbox).to.equal(true)
    expect(parse(`embedded_sandbox: false\n${minimalFile}`).embeddedSandbox).to.equal(false)
  })

  it('stores up to a gibibyte of pictures, and allows no links to private hosts, by default', () => {
    const config = parse(minimalFile)
    expect([config.publicUrl, config.media]).to.deep.equal([undefined, { maxBytes: 1_024 * 1_048_576, allow: [] }])
  })

  it('is overridden by PORT, FORECOURT_HOST and FORECOURT_DATA', () => {
    const config = parse(completeFile, { ...secrets, PORT: '0', FORECOURT_HOST: '::1', FORECOURT_DATA: '/data' })
    expect(config.listen).to.deep.equal({ host: '::1', port: 0 })
    expect(config.store).to.equal('sqlite:/data/forecourt.db')
  })

  it('takes an empty variable as unset', () => {
    const empty = { PORT: '', FORECOURT_HOST: '', FORECOURT_DATA: '' }
    expect(readDefaultConfig(empty)).to.deep.equal(readDefaultConfig({}))
    expect(parse(completeFile, { ...secrets, ...empty }).listen).to.deep.equal(parse(completeFile, secrets).listen)
  })

  for (const PORT of ['eighty', '-1', '65536', '80.5']) {
    it(`refuses PORT=${PORT}, also without a file`, () => {
      expect(() => readDefaultConfig({ PORT })).to.throw(ConfigError, PORT)
    })
  }

  it('reads mail settings and registration', () => {
    const text = `
mail: { url: "smtp://shop:\${SMTP_PASSWORD}@mail.example:587", from: Parts Shop <shop@parts.example> }
merchants:
  acme:
    name: Acme
    currency: JMD
    time_zone: America/Jamaica
    registration: verified
    max_age_seconds: 60
    mail: { from: acme@parts.example, verify_url: "https://acme.example/confirm", reset_url: "https://acme.example/reset" }
`
    const { mail, merchants } = parse(text, { SMTP_PASSWORD: 'p@ss/word' })
    expect(mail).to.deep.equal({
      url: 'smtp://shop:p%40ss%2Fword@mail.example:587',
      from: 'Parts Shop <shop@parts.example>',
    })
    expect(merchants[0]).to.deep.include({
      maxAgeSeconds: 60,
      registration: 'verified',
      mail: {
        from: 'acme@parts.example',
        verifyUrl: 'https://acme.example/confirm',
        resetUrl: 'https://acme.example/reset',
      },
    })
    const wrong = `
mail: { url: "http://mail.example", from: "nobody" }
merchants: { acme: { name: A, currency: JMD, time_zone: UTC, registration: maybe, mail: { verify_url: confirm } } }
`
    expect(findMistakes(wrong).map(({ path }) => path)).to.have.members([
      'mail.url',
      'mail.from',
      'merchants.acme.registration',
      'merchants.acme.mail.verify_url',
    ])
  })
})
