import { expect } from 'chai'
import { adapters } from '../../../src/adapters.ts'
import { ConfigError } from '../../../src/config/config-error.ts'
import { parseConfig, parseConfigFile } from '../../../src/config/parse-config-file.ts'
import { findConfigWarnings } from '../../../src/config/warnings/find-config-warnings.ts'

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

  it('has boosts of brands, categories and tags', () => {
    const boosts = '[{ brand: Ozaki, boost: 2 }, { category: brake-pads, boost: 1 }, { tag: clearance, boost: -3 }]'
    expect(parse(file(`{ boosts: ${boosts} }`))).to.deep.equal({
      maxAgeMs: 60_000,
      boosts: [
        { field: 'brand', value: 'Ozaki', boost: 2 },
        { field: 'category', value: 'brake-pads', boost: 1 },
        { field: 'tag', value: 'clearance', boost: -3 },
      ],
    })
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of the file
    const fromVariables = '{ max_age_seconds: 5, boosts: [{ brand: "${BRAND}", boost: "${BOOST}" }] }'
    expect(parse(file(fromVariables), { BRAND: 'Ozaki', BOOST: '4' })).to.deep.equal({
      maxAgeMs: 5_000,
      boosts: [{ field: 'brand', value: 'Ozaki', boost: 4 }],
    })
    expect(parse(file('{ boosts: [] }'))).to.deep.equal({ maxAgeMs: 60_000 })
  })

  it('has groups of synonyms', () => {
    expect(parse(file('{ synonyms: [[rotor, brake disc], [headlight, headlamp]] }'))).to.deep.equal({
      maxAgeMs: 60_000,
      synonyms: [
        ['rotor', 'brake disc'],
        ['headlight', 'headlamp'],
      ],
    })
    expect(parse(file('{ synonyms: [] }'))).to.deep.equal({ maxAgeMs: 60_000 })
  })

  for (const [mirror, found] of [
    [
      'on',
      /merchants\.acme\.mirror: is neither off nor a group of settings\. Give off, or max_age_seconds, boosts and synonyms$/,
    ],
    ['false', /acme\.mirror: is neither off nor a group of settings\. Give off/],
    ['null', /acme\.mirror: is empty\. Give off, or max_age_seconds/],
    ['[off]', /acme\.mirror: is neither off/],
    [
      '{ max_age_seconds: 0 }',
      /acme\.mirror\.max_age_seconds: is less than 1\. Give a whole number of seconds from 1 to/,
    ],
    ['{ max_age_seconds: 1.5 }', /mirror\.max_age_seconds: is not a whole number\. Give a whole number of seconds/],
    [
      '{ boosts: { brand: Ozaki } }',
      /mirror\.boosts: is not a list\. Give a list such as \[\{ brand: Bosch, boost: 2 \}\]/,
    ],
    ['{ boosts: [Ozaki] }', /mirror\.boosts\.0: is not a group of settings\. Give a list such as/],
    ['{ boosts: [{ brand: Ozaki }] }', /mirror\.boosts\.0: boost is missing\. Add it/],
    ['{ boosts: [{ boost: 1 }] }', /boosts\.0: names nothing to boost\. Give one of brand, category and tag$/],
    ['{ boosts: [{ brand: A, tag: b, boost: 1 }] }', /boosts\.0: names brand and tag\. Give one entry for each$/],
    [
      '{ boosts: [{ tag: b, boost: 1 }, { brand: b, boost: 1 }, { tag: b, boost: 2 }] }',
      /boosts\.2: boosts the same tag as boosts\.0\. Remove one of them$/,
    ],
    [
      '{ boosts: [{ brand: Émile, boost: 1 }, { brand: EMILE, boost: 1 }] }',
      /boosts\.1: boosts the same brand as boosts\.0\. Remove one of them$/,
    ],
    ['{ boosts: [{ brand: A, boost: 11 }] }', /0\.boost: is more than 10\. Give a whole number from -10 to 10$/],
    ['{ boosts: [{ brand: A, boost: 1.5 }] }', /0\.boost: is not a whole number\. Give a whole number from -10/],
    ['{ boosts: [{ brand: "", boost: 1 }] }', /0\.brand: is empty\. Give text$/],
    [
      '{ boosts: [{ sku: A, tag: b, boost: 1 }] }',
      /boosts\.0\.sku: is not a setting\. Use one of brand, category, tag, boost/,
    ],
    [
      `{ boosts: [${Array.from({ length: 51 }, (_, at) => `{ tag: t${at}, boost: 1 }`)}] }`,
      /boosts: has more than 50 entries/,
    ],
    ['{ synonyms: [[rotor]] }', /synonyms\.0: has fewer than 2 entries/],
    [
      '{ synonyms: [[rotor, disc], disk] }',
      /synonyms\.1: is not a list\. Give a list such as \[\[headlight, headlamp\]/,
    ],
    ['{ synonyms: [[rotor, "--"]] }', /synonyms\.0\.1: has no letter and no digit\. Give a word or a phrase$/],
    [
      '{ synonyms: [[rotor, disc], [Disc, disk]] }',
      /synonyms\.1\.0: is also synonyms\.0\.1\. List all words that mean the same in one group$/,
    ],
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
