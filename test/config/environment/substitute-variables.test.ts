import { expect } from 'chai'
import { completeFile, findMistakes, minimalFile, parse } from '../config-fixtures.ts'

describe('environment variables in forecourt.yaml', () => {
  it('reports each missing variable once', () => {
    const mistakes = findMistakes(completeFile)
    expect(mistakes.map(({ path }) => path).toSorted()).to.deep.equal([
      'merchants.acme.hook_secret',
      'merchants.acme.live.inventory.token',
      'webhooks.key',
    ])
  })

  it('converts variables to numbers and booleans where the setting is one', () => {
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
    const { listen, operations, deadlineMs, merchants } = parse(text, env)
    expect([listen.port, operations?.metrics, deadlineMs]).to.deep.equal([9_000, false, 2_000])
    const { name, bands, live } = merchants[0]!
    expect([name, bands.low]).to.deep.equal(['9000', 0.5])
    for (const system of [live.inventory, live.fitment]) {
      expect(system)
        .to.deep.include({ settings: { token: '9000' } })
        .and.to.have.nested.property('limits.timeoutMs', 900)
    }
    const mistakes = findMistakes(text, {
      ...env,
      P: '0x10',
      DEADLINE: '2 s',
      LOW: '',
      YES: '1',
      NO: '0',
      TIMEOUT: '10.5',
    })
    const systems = ['inventory', 'fitment'].map((name) => `merchants.acme.live.${name}.limits.timeout_ms`)
    expect(mistakes.map(({ path }) => path)).to.have.members([
      'listen.port',
      'deadline_ms',
      'merchants.acme.bands.low',
      'operations.enabled',
      'operations.metrics',
      ...systems,
    ])
  })

  it('converts any number of variables', () => {
    const many = Array.from(
      { length: 150 },
      (_, at) => `
  m${at}:
    name: M
    currency: JMD
    time_zone: America/Jamaica
    bands: { low: "\${L}", hysteresis: "\${L}" }`,
    )
    const { merchants } = parse(`merchants:${many.join('')}`, { L: '3' })
    expect(merchants.map(({ bands }) => bands)).to.deep.equal(many.map(() => ({ low: 3, hysteresis: 3 })))
  })

  it('reports a missing variable once, and no mistake that follows from it', () => {
    const port = `"\${P}"`
    const mistakes = findMistakes(
      `listen: { port: ${port} }\noperations: { port: ${port} }\ndeadline_ms: ${port}${minimalFile}`,
    )
    expect(mistakes.map(({ path, mistake }) => [path, mistake])).to.deep.equal([
      ['listen.port', 'environment variable P is not set'],
    ])
  })

  it('does not repeat the value of a variable that should be a number', () => {
    const mistakes = findMistakes(`listen: { port: "\${P}" }\noperations: { port: "\${P}" }${minimalFile}`, {
      P: 's3cret',
    })
    expect(mistakes.map(({ path }) => path)).to.deep.equal(['listen.port', 'operations.port'])
    expect(JSON.stringify(mistakes)).to.not.include('s3cret')
  })

  it('names the variable to correct, and does not repeat its value', () => {
    const rest = (name: string) => `{ adapter: rest, address: "https://a.example", token: "\${${name}}" }`
    const text = `deadline_ms: "\${D}"
merchants:
  acme:
    name: "a \${no-name} b"
    currency: JMD
    time_zone: America/Jamaica
    live: { inventory: ${rest('T')}, pricing: ${rest('U')}, accounting: ${rest('V')} }
`
    const uncarried = 'is empty or contains characters that an HTTP header cannot carry'
    const mistakes = findMistakes(text, { D: 'soon', T: 's3cret\n', U: 's3\ncret', V: '' })
    expect(mistakes.map(({ path, mistake }) => `${path}: ${mistake}`)).to.have.members([
      'deadline_ms: is not a whole number (from environment variable D)',
      `merchants.acme.name: contains \${ without a valid variable name`,
      'merchants.acme.live.inventory.token: environment variable T ends with a line break',
      `merchants.acme.live.pricing.token: ${uncarried} (from environment variable U)`,
      `merchants.acme.live.accounting.token: ${uncarried} (from environment variable V)`,
    ])
    expect(JSON.stringify(mistakes)).to.not.include('s3')
  })
})
