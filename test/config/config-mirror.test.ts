import { expect } from 'chai'
import { adapters } from '../../src/adapters.ts'
import { ConfigError } from '../../src/config/config-error.ts'
import { findConfigWarnings } from '../../src/config/config-warnings.ts'
import { parseConfig, parseConfigFile } from '../../src/config/read-config.ts'

const file = (mirror: string, rest = '') =>
  `${rest}merchants: { acme: { name: A, currency: JMD, time_zone: UTC${mirror && `, mirror: ${mirror}`} } }`
const parse = (text: string, env = {}) => parseConfig(text, 'forecourt.yaml', adapters, env).merchants[0]!.mirror

function mistakes(mirror: string): string[] {
  try {
    parse(file(mirror))
    return []
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError)
    return (error as ConfigError).mistakes.map(({ path, mistake, remedy }) => `${path}: ${mistake}. ${remedy}`)
  }
}

describe('mirror in forecourt.yaml', () => {
  it('is on with a minute, off, or on with another age', () => {
    expect(parse(file(''))).to.deep.equal({ maxAgeMs: 60_000 })
    expect(parse(file('{}'))).to.deep.equal({ maxAgeMs: 60_000 })
    expect(parse(file('{ max_age_seconds: 300 }'))).to.deep.equal({ maxAgeMs: 300_000 })
    expect(parse(file('off'))).to.equal(null)
  })

  it('takes its values from the environment and from JSON', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of the file
    expect(parse(file('{ max_age_seconds: "${AGE}" }'), { AGE: '90' })).to.deep.equal({ maxAgeMs: 90_000 })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of the file
    expect(parse(file('"${MIRROR}"'), { MIRROR: 'off' })).to.equal(null)
    const json = { merchants: { acme: { name: 'A', currency: 'JMD', time_zone: 'UTC', mirror: 'off' } } }
    expect(parse(JSON.stringify(json))).to.equal(null)
  })

  for (const [mirror, found] of [
    ['on', /merchants\.acme\.mirror: is neither off nor a group of settings\. Give off, or max_age_seconds$/],
    ['false', /acme\.mirror: is neither off nor a group of settings\. Give off/],
    ['null', /acme\.mirror: is empty\. Give off, or max_age_seconds/],
    ['[off]', /acme\.mirror: is neither off/],
    [
      '{ max_age_seconds: 0 }',
      /acme\.mirror\.max_age_seconds: is less than 1\. Give a whole number of seconds from 1 to/,
    ],
    ['{ max_age_seconds: 1.5 }', /mirror\.max_age_seconds: is not a whole number\. Give a whole number of seconds/],
    ['{ max_age: 5 }', /acme\.mirror\.max_age: is not a setting\. .*max_age_seconds/],
  ] as const) {
    it(`names the mistake: ${mirror}`, () => {
      const named = mistakes(mirror)
      expect(named).to.have.lengthOf(1)
      expect(named[0]).to.match(found)
    })
  }

  it('warns of an age that the change feed cannot keep', () => {
    const warn = (mirror: string, interval: number) =>
      findConfigWarnings(
        parseConfigFile(file(mirror, `feed: { interval_seconds: ${interval} }\n`), 'forecourt.yaml', adapters, {}),
      )
        .filter(({ path }) => path.includes('mirror'))
        .map(({ path, mistake }) => `${path}: ${mistake}`)
    expect(warn('{ max_age_seconds: 30 }', 30)).to.deep.equal([
      'merchants.acme.mirror.max_age_seconds: is not longer than feed.interval_seconds (30), so every read is marked as stale',
    ])
    expect(warn('{ max_age_seconds: 31 }', 30)).to.deep.equal([])
    expect(warn('off', 30)).to.deep.equal([])
    expect(warn('{ max_age_seconds: 1 }', 0)).to.deep.equal([])
  })
})
