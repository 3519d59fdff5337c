import { expect } from 'chai'
import fc from 'fast-check'
import type { Mode } from '../../src/config/config.ts'
import { systems } from '../../src/ports/system.ts'
import { setPrice, updateProduct } from '../../src/sandbox/control/control-client.ts'
import { type ApiResponse, type ProgramUnderTest, startProgram } from './program-under-test.ts'
import { type SandboxSystems, startSandboxSystems } from './sandbox-systems.ts'

const merchants = ['acme', 'zenith', 'delta'] as const
const modes = ['live', 'sandbox'] as const
/** A trade customer, a fleet customer, one without a list, one without taxes; and nobody. */
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

describe('answers of many merchants, modes and customers over the same SKUs', () => {
  let embedded: SandboxSystems
  let world: ProgramUnderTest
  let skus: string[]
  let now = Date.now()
  const visitors: Visitor[] = []
  const truths = new Map<string, Facts>()

  before(async () => {
    embedded = await startSandboxSystems(accounts)
    world = await startProgram({ addresses: embedded.addresses, merchants, now: () => now })
    for (const merchant of merchants) for (const mode of modes) await settle(merchant, mode)
    skus = await skusOf(visitors[0]!)
    for (const [at, account] of accounts.entries()) await distinguish(account, at)
    for (const { account, customer } of visitors) truths.set(`${account} ${customer}`, await truthOf(account, customer))
    // Past all that the first look kept under the old names.
    now += 7 * 86_400_000
    const seen = new Set([...truths.values()].map((facts) => JSON.stringify(facts)))
    // Customers without a list price and without taxes of their own see what nobody sees: three kinds of six accounts, and the exempt.
    expect(seen.size).to.be.at.least(accounts.length * 4)
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await embedded?.[Symbol.asyncDispose]()
  })

  async function settle(merchant: string, mode: Mode): Promise<void> {
    const account = `${merchant}-${mode}`
    const [open, secret] = [await world.key(merchant, 'publishable', mode), await world.key(merchant, 'secret', mode)]
    visitors.push({ account, merchant, customer: null, key: open, headers: {} })
    for (const customer of customers) {
      const token = customer && (await world.shopper(merchant, mode, customer))
      const headers: Record<string, string> = token ? { 'x-storefront-shopper-token': token } : {}
      visitors.push({ account, merchant, customer, key: secret, headers })
      // With a publishable key a shopper's token changes nothing.
      if (token) visitors.push({ account, merchant, customer: null, key: open, headers })
    }
  }

  async function skusOf({ key }: Visitor): Promise<string[]> {
    const { body } = await world.ask('/v1/products?limit=60', key)
    const priced = body.data.filter(
      (row: { price: object | null; sku: string }) => row.price && /^[\w-]+$/.test(row.sku),
    )
    return priced.slice(0, SKUS).map(({ sku }: { sku: string }) => sku)
  }

  async function distinguish(account: string, at: number): Promise<void> {
    for (const sku of skus) {
      await updateProduct(embedded.systems.inventory.controlAddress, account, sku, {
        name: `${account} has ${sku}`,
        brand: 'Common',
        tags: ['common'],
      })
      await setPrice(embedded.systems.pricing.controlAddress, account, sku, `${1_000 + at}.5${skus.indexOf(sku) % 10}`)
    }
  }

  async function truthOf(account: string, customer_id: string | null): Promise<Facts> {
    const asked = {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox' },
      body: JSON.stringify({ skus, customer_id }),
    }
    const rowsAt = async (address: string) =>
      ((await (await fetch(address, asked)).json()) as { data: Record<string, string>[] }).data
    const prices = await rowsAt(`${embedded.addresses.pricing}/${account}/prices`)
    const taxes = await rowsAt(`${embedded.addresses.accounting}/${account}/taxes`)
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
  function judgeRow(row: any, { account, customer }: Visitor): number {
    const truth = truths.get(`${account} ${customer}`)![row.sku]
    if (!truth) return 0
    expect(row.name).to.equal(`${account} has ${row.sku}`)
    const { price, tax } = row
    const { amount, price_type, list_amount, breaks } = price ?? {}
    if (price) expect({ amount, price_type, list_amount, breaks }, `${account} ${customer}`).to.deep.equal(truth.price)
    if (tax) expect(tax, `${account} ${customer}`).to.deep.equal(truth.tax)
    return 1
  }

  function judge({ status, headers, body }: ApiResponse, visitor: Visitor): number {
    expect(status).to.be.oneOf([200, 502, 503, 504])
    expect(headers.get('x-service-mode')).to.equal(visitor.account.split('-')[1])
    if (status !== 200) return 0
    const rows = body.data ?? [body]
    return rows.reduce((judged: number, row: object) => judged + judgeRow(row, visitor), 0)
  }

  it('are each the answer of their asker, however the questions are mixed', async () => {
    const question = fc.record({
      who: fc.nat(1_000),
      what: fc.nat(1_000),
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
      broken: fc.constantFrom(null, null, null, ...systems),
      how: fc.constantFrom({ error_rate: 0.5 }, { delay_ms: 5 }, { garbage: true }, { status: 500 }),
      questions: fc.array(question, { minLength: 40, maxLength: 80, size: 'max' }),
    })
    const judged = { answers: 0, rows: 0 }
    let asked = 0
    const look = (reply: ApiResponse, visitor: Visitor) => {
      const rows = judge(reply, visitor)
      asked += 1
      judged.rows += rows
      if (rows > 0) judged.answers += 1
    }
    for (const visitor of visitors) {
      const warming = await Promise.all(
        paths.map((path) => world.ask(path(), visitor.key, { headers: visitor.headers })),
      )
      for (const reply of warming) look(reply, visitor)
    }
    expect(judged.rows).to.be.at.least(visitors.length * SKUS)
    await fc.assert(
      fc.asyncProperty(fc.array(wave, { minLength: 2, maxLength: 5 }), async (waves) => {
        for (const { passMs, broken, how, questions } of waves) {
          now += passMs
          for (const system of systems) await embedded.systems[system].setFault(system === broken ? how : {})
          const looks = questions.map(async ({ who, what, coding, fault }) => {
            const visitor = visitors[who % visitors.length]!
            const headers = {
              ...visitor.headers,
              'accept-encoding': coding,
              ...(fault && { 'x-sandbox-fault': fault }),
            }
            const reply = await world.ask(paths[what % paths.length]!(), visitor.key, { headers })
            look(reply, visitor)
          })
          await Promise.all(looks)
        }
      }),
      { numRuns: 6, endOnFailure: true },
    )
    expect(judged.answers, 'most answers had something to judge').to.be.above(asked / 2)
  }).timeout(300_000)

  it('are refused to the shopper of another merchant or mode', async () => {
    const token = await world.shopper('acme', 'live', 'C-1001')
    const headers = { 'x-storefront-shopper-token': token }
    const path = `/v1/products/${skus[0]}`
    const statusOf = async (merchant: string, mode: Mode) =>
      (await world.ask(path, await world.key(merchant, 'secret', mode), { headers })).status
    expect([
      await statusOf('zenith', 'live'),
      await statusOf('acme', 'sandbox'),
      await statusOf('zenith', 'sandbox'),
    ]).to.deep.equal([403, 401, 403])
  })
})
