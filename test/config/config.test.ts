import { expect } from 'chai'
import { adapters } from '../../src/adapters.ts'
import { parseConfig, readConfig, readDefaultConfig } from '../../src/config/config.ts'
import { ConfigError } from '../../src/config/config-error.ts'

const read = (text: string, env: Record<string, string> = {}) => parseConfig(text, 'forecourt.yaml', adapters, env)

function mistakes(text: string, env: Record<string, string> = {}) {
  try {
    read(text, env)
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError)
    return (error as ConfigError).mistakes
  }
  return []
}

const least = `
merchants:
  acme: { name: Acme, currency: JMD, time_zone: America/Jamaica }
`
const key = (fill: number) => Buffer.alloc(32, fill)
const base64 = (fill: number) => key(fill).toString('base64')
const secrets = { ACME_TOKEN: 's3cret', KEY: base64(1), HOOK_SECRET: 'a secret of the ERP' }
const whole = `
listen: { host: 0.0.0.0, port: 9000 }
metrics: { port: 9100 }
operations: { host: 10.0.0.5, port: 9200, metrics: true, url: https://ops.acme.example }
tracing: { endpoint: "http://127.0.0.1:4318/v1/traces", sample: 0.25, headers: { X-Key: of-the-collector } }
drain: { delay_seconds: 5, finish_seconds: 20 }
data: /var/lib/forecourt
log: { file: /var/log/forecourt.log, level: warn }
cache: { max_mib: 64 }
webhooks: { key: "\${KEY}", previous_keys: ["${base64(2)}"], ports: [443, 8443], allow: [localhost, "10.1.2.3:9000"] }
feed: { interval_seconds: 30 }
public_url: https://api.acme.example/parts/
media: { max_mib: 200, allow: [nas.acme.example] }
merchants:
  acme:
    name: Acme Parts
    currency: JMD
    time_zone: America/Jamaica
    bands: { low: 10, hysteresis: 3 }
    mail: { alerts: "Acme <it@acme.example>" }
    hook_secret: "\${HOOK_SECRET}"
    live:
      inventory: &rest { adapter: rest, address: "https://stock.example/acme/", token: "\${ACME_TOKEN}" }
      pricing: { <<: *rest, address: https://prices.example, limits: { timeout_ms: 250, concurrency: 8, queue: 4, max_response_mib: 2 } }
    sandbox: {}
`

describe('forecourt.yaml', () => {
  it('says little where defaults do', () => {
    const config = read(least)
    expect(config.listen).to.deep.equal({ host: '127.0.0.1', port: 8080 })
    expect(config.store).to.match(/^sqlite:.*forecourt\.db$/)
    expect(config.merchants).to.deep.equal([
      {
        ...{ merchant: 'acme', name: 'Acme', currency: 'JMD', timeZone: 'America/Jamaica' },
        ...{ bands: { low: 5, hysteresis: 2 }, live: {}, sandbox: null },
      },
    ])
  })

  it('says all that there is, with secrets from the environment', () => {
    const { merchants, ...config } = read(whole, secrets)
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
      feedIntervalMs: 30_000,
    })
    const { live, sandbox, bands, mail, hookSecret } = merchants[0]!
    expect([mail, hookSecret]).to.deep.equal([{ alerts: 'Acme <it@acme.example>' }, 'a secret of the ERP'])
    expect([sandbox, bands]).to.deep.equal([{}, { low: 10, hysteresis: 3 }])
    expect(live.inventory).to.deep.include({ address: 'https://stock.example/acme', settings: { token: 's3cret' } })
    expect(live.pricing?.limits).to.deep.equal({ timeoutMs: 250, concurrency: 8, queue: 4 })
    expect(live.pricing?.maxResponseBytes).to.equal(2 * 1_048_576)
  })

  it('has a page for those on call beside the API, unless it is told otherwise, and makes no spans by itself', () => {
    const usual = read(least)
    expect(usual.operations).to.deep.equal({ host: '127.0.0.1', port: 8_081, metrics: false })
    expect([usual.drain, 'tracing' in usual]).to.deep.equal([{ delayMs: 0, finishMs: 10_000 }, false])
    const portOf = (text: string) => read(`${text}${least}`).operations?.port ?? null
    expect(
      [
        'listen: { port: 9000 }',
        'listen: { port: 0 }',
        'operations: { port: 7000 }',
        'operations: { enabled: false }',
      ].map(portOf),
    ).to.deep.equal([9_001, 0, 7_000, null])
  })

  it('gives no two listeners one port', () => {
    const found = mistakes(`listen: { port: 9000 }\noperations: { port: 9000 }\nmetrics: { port: 9000 }${least}`)
    expect(found.map(({ path, mistake }) => `${path}: ${mistake}`)).to.deep.equal([
      'operations.port: listen has port 9000 already',
      'metrics.port: listen has port 9000 already',
    ])
    expect(mistakes(`listen: { port: 0 }\noperations: { port: 0 }${least}`)).to.deep.equal([])
    const on = (host: string) => mistakes(`listen: { port: 9000 }\nmetrics: { host: ${host}, port: 9000 }${least}`)
    expect([on('10.0.0.5').length, on('0.0.0.0').length]).to.deep.equal([0, 1])
  })

  it('asks systems for changes every five seconds, at another pace, or never', () => {
    const interval = (feed: string) => read(`${feed}${least}`).feedIntervalMs
    expect(
      ['', 'feed: {}', 'feed: { interval_seconds: 1 }', 'feed: { interval_seconds: 0 }'].map(interval),
    ).to.deep.equal([...[5_000, 5_000, 1_000, null]])
  })

  it('refuses keys that are no keys, and secrets too short to be any', () => {
    const found = mistakes(`
webhooks: { key: aGVsbG8=, allow: ["https://localhost"], ports: [0] }
feed: { interval_seconds: -1 }
merchants:
  acme: { name: Acme, currency: JMD, time_zone: America/Jamaica, hook_secret: short }
`)
    expect(found.map(({ path }) => path)).to.have.members([
      ...[
        'webhooks.key',
        'webhooks.allow.0',
        'webhooks.ports.0',
        'feed.interval_seconds',
        'merchants.acme.hook_secret',
      ],
    ])
  })

  it('keeps a gibibyte of pictures, and follows no link to a private host, unless it is said', () => {
    const config = read(least)
    expect([config.publicUrl, config.media]).to.deep.equal([undefined, { maxBytes: 1_024 * 1_048_576, allow: [] }])
  })

  it('refuses an address that no browser could ask, and bounds that are none', () => {
    for (const url of [
      'api.acme.example',
      'ftp://api.example',
      'https://',
      'https://a:b@api.example',
      'https://a.example/?x',
    ]) {
      const [found] = mistakes(`public_url: "${url}"${least}`)
      expect(found, url).to.include({ path: 'public_url' })
      expect(found!.remedy).to.include('browsers')
      expect(found!.mistake).to.equal('is not a usable URL')
    }
    expect(mistakes(`public_url: "https://[x"${least}`).map(({ path }) => path)).to.deep.equal(['public_url'])
    const found = mistakes(`media: { max_mib: 0, allow: ["https://nas"], folder: x }${least}`)
    expect(found.map(({ path }) => path)).to.have.members(['media', 'media.max_mib', 'media.allow.0'])
  })

  it('tells once of a variable that is not set', () => {
    const found = mistakes(whole)
    expect(found.map(({ path }) => path).toSorted()).to.deep.equal([
      ...['merchants.acme.hook_secret', 'merchants.acme.live.inventory.token', 'webhooks.key'],
    ])
  })

  it('says what a list may hold', () => {
    const [found] = mistakes(`webhooks: { allow: ["https://localhost"] }${least}`)
    expect(found).to.include({ path: 'webhooks.allow.0' })
    expect(found!.remedy).to.include('10.1.2.3:9000')
  })

  it('has numbers, true and false from the environment too, and text wherever text is meant', () => {
    const text = `
listen: { port: "\${P}" }
deadline_ms: \${DEADLINE}
operations: { enabled: "\${YES}", metrics: "\${NO}" }
merchants:
  acme:
    name: \${P}
    currency: JMD
    time_zone: America/Jamaica
    bands: { low: "\${LOW}" }
    live:
      inventory: { adapter: rest, address: "https://a.example", token: "\${P}", limits: { timeout_ms: "\${TIMEOUT}" } }
      fitment: { adapter: rest, address: "https://f.example", token: "\${P}", limits: { timeout_ms: "\${TIMEOUT}" } }
`
    const env = { P: '9000', NO: 'false', DEADLINE: '2000', YES: 'true', LOW: '0.5', TIMEOUT: '900' }
    const { listen, operations, deadlineMs, merchants } = read(text, env)
    expect([listen.port, operations?.metrics, deadlineMs]).to.deep.equal([9_000, false, 2_000])
    const { name, bands, live } = merchants[0]!
    expect([name, bands.low]).to.deep.equal(['9000', 0.5])
    for (const system of [live.inventory, live.fitment]) {
      expect(system)
        .to.deep.include({ settings: { token: '9000' } })
        .and.to.have.nested.property('limits.timeoutMs', 900)
    }
    const found = mistakes(text, { ...env, P: '0x10', DEADLINE: '2 s', LOW: '', YES: '1', NO: '0', TIMEOUT: '10.5' })
    const systems = ['inventory', 'fitment'].map((name) => `merchants.acme.live.${name}.limits.timeout_ms`)
    expect(found.map(({ path }) => path)).to.have.members([
      ...['listen.port', 'deadline_ms', 'merchants.acme.bands.low', 'operations.enabled', 'operations.metrics'],
      ...systems,
    ])
  })

  it('has as many of them as there are', () => {
    const many = Array.from(
      { length: 150 },
      (_, at) => `
  m${at}:
    name: M
    currency: JMD
    time_zone: America/Jamaica
    bands: { low: "\${L}", hysteresis: "\${L}" }`,
    )
    const { merchants } = read(`merchants:${many.join('')}`, { L: '3' })
    expect(merchants.map(({ bands }) => bands)).to.deep.equal(many.map(() => ({ low: 3, hysteresis: 3 })))
  })

  it('is told once of what the environment lacks, and of nothing that follows from it', () => {
    const port = `"\${P}"`
    const found = mistakes(`listen: { port: ${port} }\noperations: { port: ${port} }\ndeadline_ms: ${port}${least}`)
    expect(found.map(({ path, mistake }) => [path, mistake])).to.deep.equal([
      ['listen.port', 'the environment has no P'],
    ])
  })

  it('repeats nothing that the environment has, where a number is meant', () => {
    const found = mistakes(`listen: { port: "\${P}" }\noperations: { port: "\${P}" }${least}`, { P: 's3cret' })
    expect(found.map(({ path }) => path)).to.deep.equal(['listen.port', 'operations.port'])
    expect(JSON.stringify(found)).to.not.include('s3cret')
  })

  it('names the variable that is to be corrected, and repeats nothing of it', () => {
    const rest = (name: string) => `{ adapter: rest, address: "https://a.example", token: "\${${name}}" }`
    const text = `deadline_ms: "\${D}"
merchants:
  acme:
    name: "a \${no-name} b"
    currency: JMD
    time_zone: America/Jamaica
    live: { inventory: ${rest('T')}, pricing: ${rest('U')}, accounting: ${rest('V')} }
`
    const uncarried = 'has characters that no header can carry, or none'
    const found = mistakes(text, { D: 'soon', T: 's3cret\n', U: 's3\ncret', V: '' })
    expect(found.map(({ path, mistake }) => `${path}: ${mistake}`)).to.have.members([
      'deadline_ms: must be integer (it is D of the environment)',
      `merchants.acme.name: has a \${ without the name of a variable`,
      'merchants.acme.live.inventory.token: T of the environment ends a line',
      `merchants.acme.live.pricing.token: ${uncarried} (it is U of the environment)`,
      `merchants.acme.live.accounting.token: ${uncarried} (it is V of the environment)`,
    ])
    expect(JSON.stringify(found)).to.not.include('s3')
  })

  it('gives way to the environment where a container sets it', () => {
    const config = read(whole, { ...secrets, PORT: '0', FORECOURT_HOST: '::1', FORECOURT_DATA: '/data' })
    expect(config.listen).to.deep.equal({ host: '::1', port: 0 })
    expect(config.store).to.equal('sqlite:/data/forecourt.db')
  })

  it('has all its mistakes told at once, each with its place and a remedy', () => {
    const found = mistakes(`
listen: { port: 70000 }
colour: red
merchants:
  acme:
    name: ""
    currency: dollars
    time_zone: Mars/Olympus
    live:
      inventory: { adapter: sap, address: https://a.example }
      pricing: { adapter: rest, address: "ftp://b.example", token: "\${NOT_SET}" }
      accounting: { adapter: rest, address: https://c.example, limits: { timeout_ms: 1 } }
`)
    expect(found.map(({ path }) => path)).to.include.members([
      ...['listen.port', 'merchants.acme.name', 'merchants.acme.currency', 'merchants.acme.time_zone'],
      ...['merchants.acme.live.inventory.adapter', 'merchants.acme.live.pricing.address'],
      ...['merchants.acme.live.pricing.token', 'merchants.acme.live.accounting.limits.timeout_ms'],
    ])
    expect(found.some(({ mistake }) => mistake.includes('colour'))).to.equal(true)
    for (const { mistake, remedy } of found) {
      expect(mistake).to.match(/\w{3}/)
      expect(remedy).to.match(/^[A-Z]/)
    }
  })

  for (const [what, text] of Object.entries({
    'nothing at all': '',
    'no merchants': 'merchants: {}',
    'a list': '- a',
    'a word': 'forecourt',
    'broken YAML': 'merchants: [',
    'a merchant that is null': 'merchants: { acme: }',
    'a system that is a word':
      'merchants: { acme: { name: A, currency: JMD, time_zone: UTC, live: { pricing: rest } } }',
    'a currency that there is not': 'merchants: { acme: { name: A, currency: XXZ, time_zone: UTC } }',
    'a setting that the adapter does not know':
      'merchants: { acme: { name: A, currency: JMD, time_zone: UTC, live: { pricing: { adapter: rest, address: "http://x", token: t, tokn: u } } } }',
    'a merchant whose id cannot be one': 'merchants: { "Acme & Co": { name: A, currency: JMD, time_zone: UTC } }',
    'a name twice': 'data: a\ndata: b\nmerchants: { a: { name: A, currency: JMD, time_zone: UTC } }',
    'an alias without an anchor': 'merchants: *nowhere',
    'an alias inside of what it names': 'merchants: &all { acme: *all }',
  })) {
    it(`is refused in words, not with a stack, for ${what}`, () => {
      expect(mistakes(text)).to.have.length.greaterThan(0)
    })
  }

  it('has YAML that cannot be read told by its first break, without what follows from that', () => {
    const password = '$'.concat('{PASSWORD}')
    expect(mistakes(`store: { a: ${password} }\nmerchants: *b\nx: ]`).map(({ mistake }) => mistake)).to.deep.equal([
      'Unexpected flow-map-start at node end at line 1, column 14',
    ])
    expect(mistakes(`store: { a: ${password} }`)[0]!.remedy).to.include(`"${'$'}{NAME}"`)
    const twice = mistakes('a: 1\na: 2\nb: 1\nb: 2\nc: ]\nd: ]').map(({ mistake }) => mistake)
    expect(twice.map((mistake) => /line \d/.exec(mistake)![0])).to.deep.equal(['line 2', 'line 4', 'line 5'])
  })

  it('does not repeat a secret among its mistakes', () => {
    const text = whole.replace('https://stock.example/acme/', 'nowhere')
    const told = JSON.stringify(mistakes(text, { ACME_TOKEN: 'hunter2-hunter2' }))
    expect(told).to.include('merchants.acme.live.inventory').and.not.include('hunter2')
  })

  it('that is not there is named', () => {
    expect(() => readConfig('/nowhere/forecourt.yaml', adapters, {})).to.throw(ConfigError, /no such file/)
  })

  for (const PORT of ['eighty', '-1', '65536', '80.5']) {
    it(`is not needed to refuse PORT=${PORT}`, () => {
      expect(() => readDefaultConfig({ PORT })).to.throw(ConfigError, PORT)
    })
  }

  it('says how letters are sent, and whether a mailbox is proven first', () => {
    const text = `
mail: { url: "smtp://shop:\${SMTP_PASSWORD}@mail.example:587", from: Parts Shop <shop@parts.example> }
merchants:
  acme:
    name: Acme
    currency: JMD
    time_zone: America/Jamaica
    registration: verified
    mail: { from: acme@parts.example, verify_url: "https://acme.example/confirm", reset_url: "https://acme.example/reset" }
`
    const { mail, merchants } = read(text, { SMTP_PASSWORD: 'p@ss/word' })
    expect(mail).to.deep.equal({
      url: 'smtp://shop:p%40ss%2Fword@mail.example:587',
      from: 'Parts Shop <shop@parts.example>',
    })
    expect(merchants[0]).to.deep.include({
      registration: 'verified',
      mail: {
        ...{ from: 'acme@parts.example', verifyUrl: 'https://acme.example/confirm' },
        resetUrl: 'https://acme.example/reset',
      },
    })
    const wrong = `
mail: { url: "http://mail.example", from: "nobody" }
merchants: { acme: { name: A, currency: JMD, time_zone: UTC, registration: maybe, mail: { verify_url: confirm } } }
`
    expect(mistakes(wrong).map(({ path }) => path)).to.have.members([
      ...['mail.url', 'mail.from'],
      ...['merchants.acme.registration', 'merchants.acme.mail.verify_url'],
    ])
  })

  it('refuses an address with a login in it, which nobody would be told, or with what no path can follow', () => {
    for (const address of [
      'https://me:s3cret@erp.example',
      'https://s3cret@erp.example/x',
      'https://me:12/s3cret@erp.example',
      'https://s3c/s3cret@erp.example',
      'https://a.example/?k=s3cret',
    ]) {
      const rest = `{ adapter: rest, address: "${address}", token: t }`
      const acme = `{ name: A, currency: JMD, time_zone: UTC, live: { inventory: ${rest}, fitment: ${rest} } }`
      const found = mistakes(`merchants: { acme: ${acme} }`)
      expect(found.map(({ path, mistake }) => `${path} ${mistake}`)).to.deep.equal([
        'merchants.acme.live.inventory.address is not a usable URL',
        'merchants.acme.live.fitment.address is not a usable URL',
      ])
      expect(found[0]!.remedy).to.include('a login goes into the adapter’s settings')
      expect(JSON.stringify(found)).to.not.include('s3cret')
    }
  })

  it('repeats nothing that may have been meant for another line', () => {
    const rest = '{ adapter: rest, address: "https://a.example", token: t }'
    for (const [live, mistake] of [
      [`{ inventory: ${rest}, fitment: "https://me:s3cret@fit.example" }`, 'is no source of fitment'],
      [
        '{ inventory: { adapter: "https://me:s3cret@a.example", address: "https://a.example" } }',
        'there is no such adapter',
      ],
    ]) {
      const found = mistakes(`merchants: { acme: { name: A, currency: JMD, time_zone: UTC, live: ${live} } }`)
      expect(found.map((one) => one.mistake)).to.deep.equal([mistake])
      expect(JSON.stringify(found)).to.not.include('s3cret')
    }
  })

  it('does not take for an address what only begins like one, and does not repeat it', () => {
    const wrong = `
mail: { url: "smtp://shop:s3cret@[mail.example:587", from: shop@parts.example }
merchants:
  acme: { name: A, currency: JMD, time_zone: UTC, mail: { verify_url: "https://[s3cret", reset_url: "https://a:b:s3cret/" } }
`
    const found = mistakes(wrong)
    expect(found.map(({ path }) => path)).to.have.members([
      ...['mail.url', 'merchants.acme.mail.verify_url', 'merchants.acme.mail.reset_url'],
    ])
    expect(JSON.stringify(found)).to.not.include('s3cret')
  })

  it('does not give sandbox keys a live system', () => {
    const system = '{ adapter: rest, address: "https://stock.example/acme/", token: t }'
    const [mistake, ...more] = mistakes(
      `${least}    `.replace(
        ' }\n    ',
        `, live: { pricing: ${system} }, sandbox: { pricing: ${system.replace('acme/', 'acme')} } }\n`,
      ),
    )
    expect(more).to.deep.equal([])
    expect(mistake).to.include({ path: 'merchants.acme.sandbox.pricing', mistake: 'this is a live system' })
  })

  it('does not let a system take longer than a whole request', () => {
    const system = '{ adapter: rest, address: "https://stock.example", token: t, limits: { timeout_ms: 2000 } }'
    const slow = `${least}    `.replace(' }\n    ', `, live: { pricing: ${system} } }\n`)
    const [mistake, ...more] = mistakes(slow)
    expect(more).to.deep.equal([])
    expect(mistake).to.include({ path: 'merchants.acme.live.pricing.limits.timeout_ms' })
    expect(mistakes(`deadline_ms: 2500\n${slow}`)).to.deep.equal([])
  })

  it('tells more mistakes than a few', () => {
    const many = Array.from({ length: 30 }, (_, at) => `  m${at}: { name: "", currency: x, time_zone: Nowhere }`)
    expect(mistakes(`merchants:\n${many.join('\n')}\n`)).to.have.lengthOf(90)
  })
})
