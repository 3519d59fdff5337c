import { expect } from 'chai'
import fc from 'fast-check'
import { systems } from '../../src/ports/system.ts'
import { updateProduct } from '../../src/sandbox/control/inventory-control-client.ts'
import { setPrice } from '../../src/sandbox/control/pricing-control-client.ts'
import type { Mode } from '../../src/tenant.ts'
import { type ApiResponse, type ProgramUnderTest, startProgram } from './program-under-test.ts'
import { type SeededSystems, startSeededSystems } from './seeded-systems.ts'

const merchants = ['acme', 'zenith', 'delta'] as const
const modes = ['live', 'sandbox'] as const
/** No customer, a trade customer, a fleet customer, one without a price list, and a tax-exempt one. */
const customers = [null, 'C-1001', 'C-1003', 'C-1009', 'C-1005'] as const
const accounts = merchants.flatMap((merchant) => modes.map((mode) => `${merchant}-${mode}`))
const SKUS = 12

interface Visitor {
  account: string
  merchant: string
  customer: string | null
  key: string
  headers: Record<string, string>
}

type Facts = Record<string, { price: object | null; tax: object | null }>

describe('responses to many merchants, modes and customers for the same SKUs', () => {
  let sandbox: SeededSystems
  let program: ProgramUnderTest
  let skus: string[]
  let now = Date.now()
  const visitors: Visitor[] = []
  const expectedFacts = new Map<string, Facts>()

  before(async () => {
    sandbox = await startSeededSystems(accounts)
    program = await startProgram({ addresses: sandbox.addresses, merchants, now: () => now })
    for (const merchant of merchants) for (const mode of modes) await addVisitors(merchant, mode)
    skus = await skusOf(visitors[0]!)
    for (const [at, account] of accounts.entries()) await distinguish(account, at)
    for (const { account, customer } of visitors)
      expectedFacts.set(`${account} ${customer}`, await readFacts(account, customer))
    // After the expiry of everything cached under the old names.
    now += 7 * 86_400_000
    const distinctFacts = new Set([...expectedFacts.values()].map((facts) => JSON.stringify(facts)))
    // The customer without a price list sees the same as an anonymous shopper.
    expect(distinctFacts.size).to.be.at.least(accounts.length * 4)
  })
  after(async () => {
    await program?.[Symbol.asyncDispose]()
    await sandbox?.[Symbol.asyncDispose]()
  })

  async function addVisitors(merchant: string, mode: Mode): Promise<void> {
    const account = `${merchant}-${mode}`
    const [open, secret] = [
      await program.createKey(merchant, 'publishable', mode),
      await program.createKey(merchant, 'secret', mode),
    ]
    visitors.push({ account, merchant, customer: null, key: open, headers: {} })
    for (const customer of customers) {
      const token = customer && (await program.createShopperToken(merchant, mode, customer))
      const headers: Record<string, string> = token ? { 'x-storefront-shopper-token': token } : {}
      visitors.push({ account, merchant, customer, key: secret, headers })
      // With a publishable key a shopper's token changes nothing.
      if (token) visitors.push({ account, merchant, customer: null, key: open, headers })
    }
  }

  async function skusOf({ key }: Visitor): Promise<string[]> {
    const { body } = await program.request('/v1/products?limit=60', key)
    const priced = body.data.filter(
      (row: { price: object | null; sku: string }) => row.price && /^[\w-]+$/.test(row.sku),
    )
    return priced.slice(0, SKUS).map(({ sku }: { sku: string }) => sku)
  }

  async function distinguish(account: string, at: number): Promise<void> {
    for (const sku of skus) {
      await updateProduct(sandbox.systems.inventory.controlAddress, account, sku, {
        name: `${account} has ${sku}`,
        brand: 'Common',
        tags: ['common'],
      })
      await setPrice(sandbox.systems.pricing.controlAddress, account, sku, `${1_000 + at}.5${skus.indexOf(sku) % 10}`)
    }
  }

  async function readFacts(account: string, customer_id: string | null): Promise<Facts> {
    const requestInit = {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox' },
      body: JSON.stringify({ skus, customer_id }),
    }
    const rowsAt = async (address: string) =>
      ((await (await fetch(address, requestInit)).json()) as { data: Record<string, string>[] }).data
    const prices = await rowsAt(`${sandbox.addresses.pricing}/${account}/prices`)
    const taxes = await rowsAt(`${sandbox.addresses.accounting}/${account}/taxes`)
    const of = (rows: Record<string, string>[], sku: string, names: string[]) => {
      const row = rows.find((each) => each.sku === sku)
      return row ? Object.fromEntries(names.map((name) => [name, row[name]])) : null
    }
    const facts = skus.map((sku) => [
      sku,
      {
        price: of(prices, sku, ['amount', 'price_type', 'list_amount', 'breaks']),
        tax: of(taxes, sku, ['code', 'name', 'rate']),
      },
    ])
    return Object.fromEntries(facts)
  }

  const paths = [
    ...Array.from({ length: SKUS }, (_, at) => () => `/v1/products/${skus[at]}`),
    () => '/v1/products?tag=common&limit=50',
    () => '/v1/products?q=common&limit=5',
    () => `/v1/products?q=${skus[3]}`,
  ]

  // biome-ignore lint/suspicious/noExplicitAny: any row of an answer
  function checkRow(row: any, { account, customer }: Visitor): number {
    const expected = expectedFacts.get(`${account} ${customer}`)![row.sku]
    if (!expected) return 0
    expect(row.name).to.equal(`${account} has ${row.sku}`)
    const { price, tax } = row
    const { amount, price_type, list_amount, breaks } = price ?? {}
    if (price)
      expect({ amount, price_type, list_amount, breaks }, `${account} ${customer}`).to.deep.equal(expected.price)
    if (tax) expect(tax, `${account} ${customer}`).to.deep.equal(expected.tax)
    return 1
  }

  function checkResponse({ status, headers, body }: ApiResponse, visitor: Visitor): number {
    expect(status).to.be.oneOf([200, 502, 503, 504])
    expect(headers.get('x-service-mode')).to.equal(visitor.account.split('-')[1])
    if (status !== 200) return 0
    const rows = body.data ?? [body]
    return rows.reduce((checked: number, row: object) => checked + checkRow(row, visitor), 0)
  }

  it('contain only the data of their tenant and customer, in any mix of requests', async () => {
    const requestArbitrary = fc.record({
      visitorIndex: fc.nat(1_000),
      pathIndex: fc.nat(1_000),
      coding: fc.constantFrom('identity', 'gzip', 'br'),
      fault: fc.constantFrom(
        ...Array<null>(20).fill(null),
        'pricing=timeout',
        'inventory=error',
        'accounting=invalid, pricing=error',
      ),
    })
    const wave = fc.record({
      passMs: fc.constantFrom(0, 500, 6_000, 15_000, 45_000, 100_000, 400_000),
      faultySystem: fc.constantFrom(null, null, null, ...systems),
      how: fc.constantFrom({ error_rate: 0.5 }, { delay_ms: 5 }, { garbage: true }, { status: 500 }),
      requests: fc.array(requestArbitrary, { minLength: 40, maxLength: 80, size: 'max' }),
    })
    const checked = { answers: 0, rows: 0 }
    let responseCount = 0
    const look = (reply: ApiResponse, visitor: Visitor) => {
      const rows = checkResponse(reply, visitor)
      responseCount += 1
      checked.rows += rows
      if (rows > 0) checked.answers += 1
    }
    for (const visitor of visitors) {
      const warming = await Promise.all(
        paths.map((path) => program.request(path(), visitor.key, { headers: visitor.headers })),
      )
      for (const reply of warming) look(reply, visitor)
    }
    expect(checked.rows).to.be.at.least(visitors.length * SKUS)
    await fc.assert(
      fc.asyncProperty(fc.array(wave, { minLength: 2, maxLength: 5 }), async (waves) => {
        for (const { passMs, faultySystem, how, requests } of waves) {
          now += passMs
          for (const system of systems) await sandbox.systems[system].setFault(system === faultySystem ? how : {})
          const looks = requests.map(async ({ visitorIndex, pathIndex, coding, fault }) => {
            const visitor = visitors[visitorIndex % visitors.length]!
            const headers = {
              ...visitor.headers,
              'accept-encoding': coding,
              ...(fault && { 'x-sandbox-fault': fault }),
            }
            const reply = await program.request(paths[pathIndex % paths.length]!(), visitor.key, { headers })
            look(reply, visitor)
          })
          await Promise.all(looks)
        }
      }),
      { numRuns: 6, endOnFailure: true },
    )
    expect(checked.answers, 'most responses had rows to check').to.be.above(responseCount / 2)
  }).timeout(300_000)

  it('reject the shopper token of another merchant or mode', async () => {
    const token = await program.createShopperToken('acme', 'live', 'C-1001')
    const headers = { 'x-storefront-shopper-token': token }
    const path = `/v1/products/${skus[0]}`
    const statusOf = async (merchant: string, mode: Mode) =>
      (await program.request(path, await program.createKey(merchant, 'secret', mode), { headers })).status
    expect([
      await statusOf('zenith', 'live'),
      await statusOf('acme', 'sandbox'),
      await statusOf('zenith', 'sandbox'),
    ]).to.deep.equal([403, 401, 403])
  })
})
