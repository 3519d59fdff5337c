import { expect } from 'chai'
import { adapters } from '../../../src/adapters.ts'
import { ConfigError } from '../../../src/config/config-error.ts'
import { parseConfig } from '../../../src/config/parse-config-file.ts'

const REST = '{ adapter: rest, address: "https://stock.example", token: t }'
const OTHER = '{ adapter: rest, address: "https://fits.example/", token: t, limits: { timeout_ms: 300 } }'
const file = (blocks: string) =>
  `merchants: { acme: { name: A, currency: JMD, time_zone: UTC${blocks && `, ${blocks}`} } }`
const acme = (blocks: string) => parseConfig(file(blocks), 'forecourt.yaml', adapters, {}).merchants[0]!

function mistakes(blocks: string): string[] {
  try {
    acme(blocks)
    return []
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError)
    return (error as ConfigError).mistakes.map(({ path, mistake, remedy }) => `${path}: ${mistake}. ${remedy}`)
  }
}

describe('fitment in forecourt.yaml', () => {
  it('is the inventory’s own where nothing is said', () => {
    expect(acme(`live: { inventory: ${REST} }`).live.fitment).to.equal(undefined)
  })

  it('is what was imported, or a system of its own', () => {
    expect(acme(`live: { inventory: ${REST}, fitment: imported }`).live.fitment).to.equal('imported')
    expect(acme(`live: { inventory: ${REST}, fitment: ${OTHER} }`).live.fitment).to.deep.equal({
      adapter: 'rest',
      address: 'https://fits.example',
      settings: { token: 't' },
      limits: { timeoutMs: 300 },
      maxResponseBytes: 16 * 1_048_576,
    })
  })

  it('stands beside the embedded back office where sandbox names nothing else', () => {
    expect(acme('sandbox: { fitment: imported }')).to.include({ sandbox: null, sandboxFitment: 'imported' })
    const named = acme(`sandbox: { inventory: ${REST}, fitment: imported }`)
    expect([named.sandbox?.fitment, named.sandboxFitment]).to.deep.equal(['imported', undefined])
    expect(acme('sandbox: {}').sandbox).to.deep.equal({})
  })

  for (const [blocks, ...found] of [
    [`live: { inventory: ${REST}, fitment: import }`, /live\.fitment: is not a fitment source\. Give imported/],
    [`live: { inventory: ${REST}, fitment: 5 }`, /live\.fitment: is not a fitment source\. Give imported/],
    [`live: { inventory: ${REST}, fitment: }`, /live\.fitment: is empty\. Give imported/],
    [`live: { fitment: imported }`, /needs an inventory\. In merchants\.acme\.live\.inventory, configure the system/],
    [
      `live: { inventory: ${REST}, fitment: { adapter: tryton, address: "https://t.example", user: u } }`,
      /adapter tryton does not support fitment\. Use another adapter, or "imported"/,
    ],
    [
      `live: { inventory: ${REST}, fitment: { adapter: rest, address: "ftp://x", limits: { timeout_ms: 1, x: 1 } } }`,
      /fitment\.address: /,
      /fitment\.limits\.timeout_ms: /,
      /fitment\.limits\.x: is not a setting/,
      /token is missing/,
    ],
    [`live: { inventory: ${REST}, fitment: { address: "https://x" } }`, /live\.fitment: adapter is missing/],
    [`live: { inventory: ${OTHER} }, sandbox: { fitment: ${OTHER} }`, /sandbox\.fitment: is also a live system/],
    [
      `live: { inventory: ${REST}, fitment: ${OTHER} }, sandbox: { inventory: ${OTHER} }`,
      /sandbox\.inventory: is also a live/,
    ],
    [
      `live: { inventory: ${REST}, fitment: ${OTHER.replace('300', '5000')} }`,
      /live\.fitment\.limits\.timeout_ms: is too long for a request/,
    ],
  ] as const) {
    it(`has its mistakes told: ${blocks}`, () => {
      const told = mistakes(blocks)
      for (const pattern of found) expect(told.join('\n')).to.match(pattern)
    })
  }
})
