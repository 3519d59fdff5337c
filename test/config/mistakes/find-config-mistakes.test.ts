import { expect } from 'chai'
import { adapters } from '../../../src/adapters.ts'
import { ConfigError } from '../../../src/config/config-error.ts'
import { readConfig } from '../../../src/config/read-config.ts'
import { completeFile, findMistakes, minimalFile } from '../config-fixtures.ts'

describe('mistakes in forecourt.yaml', () => {
  it('refuses one port for two listeners', () => {
    const mistakes = findMistakes(
      `listen: { port: 9000 }\noperations: { port: 9000 }\nmetrics: { port: 9000 }${minimalFile}`,
    )
    expect(mistakes.map(({ path, mistake }) => `${path}: ${mistake}`)).to.deep.equal([
      'operations.port: port 9000 is already used by listen',
      'metrics.port: port 9000 is already used by listen',
    ])
    expect(findMistakes(`listen: { port: 0 }\noperations: { port: 0 }${minimalFile}`)).to.deep.equal([])
    const on = (host: string) =>
      findMistakes(`listen: { port: 9000 }\nmetrics: { host: ${host}, port: 9000 }${minimalFile}`)
    expect([on('10.0.0.5').length, on('0.0.0.0').length]).to.deep.equal([0, 1])
  })

  it('refuses more searches than calls, and a limit of searches for a system that is not searched', () => {
    const system = (limits: string) => `{ adapter: rest, address: "https://x.example", token: t, limits: ${limits} }`
    const find = (inventory: string, pricing = '{}') =>
      findMistakes(`
merchants:
  acme:
    name: Acme
    currency: JMD
    time_zone: America/Jamaica
    live: { inventory: ${system(inventory)}, pricing: ${system(pricing)} }
`).map(({ path, mistake }) => `${path}: ${mistake}`)
    const at = (port: string) => `merchants.acme.live.${port}.limits.search_concurrency`
    expect(find('{ search_concurrency: 5, concurrency: 4 }')).to.deep.equal([
      `${at('inventory')}: is more than concurrency (4)`,
    ])
    expect(find('{}', '{ search_concurrency: 2 }')).to.deep.equal([`${at('pricing')}: has no effect on pricing`])
    expect(find('{ search_concurrency: 4, concurrency: 4 }')).to.deep.equal([])
  })

  it('refuses invalid keys and short secrets', () => {
    const mistakes = findMistakes(`
webhooks: { key: aGVsbG8=, allow: ["https://localhost"], ports: [0] }
feed: { interval_seconds: -1 }
merchants:
  acme: { name: Acme, currency: JMD, time_zone: America/Jamaica, hook_secret: short }
`)
    expect(mistakes.map(({ path }) => path)).to.have.members([
      'webhooks.key',
      'webhooks.allow.0',
      'webhooks.ports.0',
      'feed.interval_seconds',
      'merchants.acme.hook_secret',
    ])
  })

  it('refuses an unusable public_url and invalid media settings', () => {
    for (const url of [
      'api.acme.example',
      'ftp://api.example',
      'https://',
      'https://a:b@api.example',
      'https://a.example/?x',
    ]) {
      const [found] = findMistakes(`public_url: "${url}"${minimalFile}`)
      expect(found, url).to.include({ path: 'public_url' })
      expect(found!.remedy).to.include('browsers')
      expect(found!.mistake).to.equal('is not a usable URL')
    }
    expect(findMistakes(`public_url: "https://[x"${minimalFile}`).map(({ path }) => path)).to.deep.equal(['public_url'])
    const mistakes = findMistakes(`media: { max_mib: 0, allow: ["https://nas"], folder: x }${minimalFile}`)
    expect(mistakes.map(({ path }) => path)).to.have.members(['media.folder', 'media.max_mib', 'media.allow.0'])
  })

  it('refuses trusted proxies that are no network, or everybody', () => {
    const mistakesOf = (...entries: string[]) =>
      findMistakes(`trusted_proxies: ${JSON.stringify(entries)}${minimalFile}`).map(({ path, mistake }) => [
        path,
        mistake,
      ])
    expect(mistakesOf('loopback', '10.0.0.0/8', '192.0.2.1', '2001:db8::/32', 'fd00::1', '10.1.2.3/8')).to.deep.equal(
      [],
    )
    for (const entry of [
      'proxy',
      '10.0.0.0/33',
      'fd00::/129',
      '127.1',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      'fe80::1%eth0',
      '',
    ])
      expect(mistakesOf('loopback', entry), entry).to.deep.equal([
        ['trusted_proxies.1', `"${entry}" is not an address or a network`],
      ])
    expect(mistakesOf('0.0.0.0/0', '::/0', '::ffff:10.0.0.1')).to.deep.equal([
      ['trusted_proxies.0', '"0.0.0.0/0" contains every address, so each client could choose its own'],
      ['trusted_proxies.1', '"::/0" contains every address, so each client could choose its own'],
      ['trusted_proxies.2', '"::ffff:10.0.0.1" is an IPv4 address in IPv6 form'],
    ])
    for (const entry of ['0:0:0:0:0:ffff:10.0.0.1', '0000:0:0::FFFF:a00:1', '::ffff:0:0/96'])
      expect(mistakesOf(entry)).to.deep.equal([['trusted_proxies.0', `"${entry}" is an IPv4 address in IPv6 form`]])
    const everyClient = 'together contain every public address, so each client could choose its own'
    for (const entries of [
      ['0.0.0.0/1', '128.0.0.0/1'],
      ['128.0.0.0/1', '10.0.0.0/8', '64.0.0.0/2', '0.0.0.0/2'],
      ['0.0.0.0/2', '64.0.0.0/2', '128.0.0.0/2', '192.0.0.0/3'],
      ['200.1.2.3/1', '1.2.3.4/1'],
      ['::/1', '8000::/1'],
      ['2000::/4', '3000::/4'],
      ['2000::/3'],
    ])
      expect(mistakesOf('loopback', ...entries), entries.join()).to.deep.equal([
        ['trusted_proxies', `${entries[0]!.includes(':') ? 'IPv6' : 'IPv4'} entries ${everyClient}`],
      ])
    expect(mistakesOf('0.0.0.0/1', '128.0.0.0/2', '192.0.0.0/4')).to.deep.equal([])
    expect(findMistakes(`trusted_proxies: loopback${minimalFile}`).map(({ path }) => path)).to.deep.equal([
      'trusted_proxies',
    ])
  })

  it('explains the entries of a list', () => {
    const [found] = findMistakes(`webhooks: { allow: ["https://localhost"] }${minimalFile}`)
    expect(found).to.include({ path: 'webhooks.allow.0' })
    expect(found!.remedy).to.include('10.1.2.3:9000')
  })

  it('reports all mistakes at once, each with its path and a remedy', () => {
    const mistakes = findMistakes(`
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
    expect(mistakes.map(({ path }) => path)).to.include.members([
      'listen.port',
      'colour',
      'merchants.acme.name',
      'merchants.acme.currency',
      'merchants.acme.time_zone',
      'merchants.acme.live.inventory.adapter',
      'merchants.acme.live.pricing.address',
      'merchants.acme.live.pricing.token',
      'merchants.acme.live.accounting.limits.timeout_ms',
    ])
    for (const { mistake, remedy } of mistakes) {
      expect(mistake).to.match(/\w{3}/)
      expect(remedy).to.match(/^[A-Z]/)
    }
  })

  for (const [description, text] of Object.entries({
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
    it(`refuses ${description} with a message`, () => {
      expect(findMistakes(text)).to.have.length.greaterThan(0)
    })
  }

  it('reports the first syntax error of the YAML', () => {
    const password = '$'.concat('{PASSWORD}')
    const broken = `store: { a: ${password} }\nmerchants: *b\nx: ]`
    expect(findMistakes(broken).map(({ line, mistake }) => `${line} ${mistake}`)).to.deep.equal([
      '1 this is not valid YAML (Unexpected flow-map-start at node end)',
    ])
    expect(findMistakes(`store: { a: ${password} }`)[0]!.remedy).to.include(`"${'$'}{NAME}"`)
    const twice = findMistakes('a: 1\na: 2\nb: 1\nb: 2\nc: ]\nd: ]')
    expect(twice.map(({ line }) => line)).to.deep.equal([2, 4, 5])
  })

  it('does not repeat a secret in a mistake', () => {
    const text = completeFile.replace('https://stock.example/acme/', 'nowhere')
    const output = JSON.stringify(findMistakes(text, { ACME_TOKEN: 'hunter2-hunter2' }))
    expect(output).to.include('merchants.acme.live.inventory').and.not.include('hunter2')
  })

  it('names a missing file', () => {
    expect(() => readConfig('/nowhere/forecourt.yaml', adapters, {})).to.throw(ConfigError, /no such file/)
  })

  it('refuses a system address with credentials or a query', () => {
    for (const address of [
      'https://me:s3cret@erp.example',
      'https://s3cret@erp.example/x',
      'https://me:12/s3cret@erp.example',
      'https://s3c/s3cret@erp.example',
      'https://a.example/?k=s3cret',
    ]) {
      const rest = `{ adapter: rest, address: "${address}", token: t }`
      const acme = `{ name: A, currency: JMD, time_zone: UTC, live: { inventory: ${rest}, fitment: ${rest} } }`
      const mistakes = findMistakes(`merchants: { acme: ${acme} }`)
      expect(mistakes.map(({ path, mistake }) => `${path} ${mistake}`)).to.deep.equal([
        'merchants.acme.live.inventory.address is not a usable URL',
        'merchants.acme.live.fitment.address is not a usable URL',
      ])
      expect(mistakes[0]!.remedy).to.include('put credentials in the adapter’s settings')
      expect(JSON.stringify(mistakes)).to.not.include('s3cret')
    }
  })

  it('does not repeat values that may be secrets of another setting', () => {
    const rest = '{ adapter: rest, address: "https://a.example", token: t }'
    for (const [live, mistake] of [
      [`{ inventory: ${rest}, fitment: "https://me:s3cret@fit.example" }`, 'is not a fitment source'],
      ['{ inventory: { adapter: "https://me:s3cret@a.example", address: "https://a.example" } }', 'unknown adapter'],
    ]) {
      const mistakes = findMistakes(`merchants: { acme: { name: A, currency: JMD, time_zone: UTC, live: ${live} } }`)
      expect(mistakes.map(({ mistake }) => mistake)).to.deep.equal([mistake])
      expect(JSON.stringify(mistakes)).to.not.include('s3cret')
    }
  })

  it('refuses malformed URLs, and does not repeat them', () => {
    const wrong = `
mail: { url: "smtp://shop:s3cret@[mail.example:587", from: shop@parts.example }
merchants:
  acme: { name: A, currency: JMD, time_zone: UTC, mail: { verify_url: "https://[s3cret", reset_url: "https://a:b:s3cret/" } }
`
    const mistakes = findMistakes(wrong)
    expect(mistakes.map(({ path }) => path)).to.have.members([
      'mail.url',
      'merchants.acme.mail.verify_url',
      'merchants.acme.mail.reset_url',
    ])
    expect(JSON.stringify(mistakes)).to.not.include('s3cret')
  })

  it('refuses a live system for sandbox keys', () => {
    const system = '{ adapter: rest, address: "https://stock.example/acme/", token: t }'
    const [mistake, ...more] = findMistakes(
      `${minimalFile}    `.replace(
        ' }\n    ',
        `, live: { pricing: ${system} }, sandbox: { pricing: ${system.replace('acme/', 'acme')} } }\n`,
      ),
    )
    expect(more).to.deep.equal([])
    expect(mistake).to.include({ path: 'merchants.acme.sandbox.pricing', mistake: 'is also a live system' })
  })

  it('refuses a timeout beyond the request deadline', () => {
    const system = '{ adapter: rest, address: "https://stock.example", token: t, limits: { timeout_ms: 2000 } }'
    const slow = `${minimalFile}    `.replace(' }\n    ', `, live: { pricing: ${system} } }\n`)
    const [mistake, ...more] = findMistakes(slow)
    expect(more).to.deep.equal([])
    expect(mistake).to.include({ path: 'merchants.acme.live.pricing.limits.timeout_ms' })
    expect(findMistakes(`deadline_ms: 2500\n${slow}`)).to.deep.equal([])
  })

  it('reports many mistakes', () => {
    const many = Array.from({ length: 30 }, (_, at) => `  m${at}: { name: "", currency: x, time_zone: Nowhere }`)
    expect(findMistakes(`merchants:\n${many.join('\n')}\n`)).to.have.lengthOf(90)
  })
})
