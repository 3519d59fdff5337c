import { expect } from 'chai'
import fc from 'fast-check'
import { systems } from '../../src/ports/system.ts'
import { setStock } from '../../src/sandbox/control/inventory-control-client.ts'
import { type ApiResponse, findVehicleId, type ProgramUnderTest, startProgram } from './program-under-test.ts'
import { type SeededSystems, startSeededSystems } from './seeded-systems.ts'

const FAULTS = [
  {},
  { garbage: true },
  { status: 500 },
  { error_rate: 0.5, status: 503 },
  { refuse: true },
  { delay_ms: 5 },
]
const HEADERS = [
  {},
  { 'x-sandbox-fault': 'inventory=error' },
  { 'x-sandbox-fault': 'pricing=timeout, accounting=invalid' },
  { accept: 'application/problem+json' },
]

/** Returns true when the text contains the count as a number of its own. */
const includesCount = (text: string, count: number) =>
  new RegExp(`(?<![\\d.])${Math.trunc(Math.abs(count))}(?!\\d)`).test(text)
const textOf = ({ status, headers, text }: ApiResponse) => `${status}\n${JSON.stringify([...headers])}\n${text}`

describe('stock counts', () => {
  let sandbox: SeededSystems
  let program: ProgramUnderTest
  let skus: string[]
  let vehicle: number
  let now = Date.now()
  const keys: string[] = []
  const headers: Record<string, string>[] = [...HEADERS]

  before(async () => {
    sandbox = await startSeededSystems(['acme-live', 'acme-sandbox'])
    program = await startProgram({
      addresses: sandbox.addresses,
      merchants: ['acme'],
      now: () => now,
    })
    for (const mode of ['live', 'sandbox'] as const)
      for (const kind of ['publishable', 'secret'] as const) keys.push(await program.createKey('acme', kind, mode))
    headers.push({ 'x-storefront-shopper-token': await program.createShopperToken('acme', 'sandbox', 'C-1001') })
    const { body } = await program.request('/v1/products?limit=40', keys[0]!)
    vehicle = await findVehicleId(program, keys[0]!)
    skus = body.data.map(({ sku }: { sku: string }) => sku)
  })
  after(async () => {
    await program?.[Symbol.asyncDispose]()
    await sandbox?.[Symbol.asyncDispose]()
  })

  const paths = (): [path: string, body?: unknown][] => [
    ...skus
      .slice(0, 12)
      .flatMap((sku): [string][] => [
        [`/v1/products/${encodeURIComponent(sku)}`],
        [`/v1/products/${encodeURIComponent(sku)}/availability`],
      ]),
    ...([
      ['/v1/products?limit=40'],
      ['/v1/products?q=filter'],
      ['/v1/products?updated_since=2020-01-01T00:00:00Z&limit=5'],
      ['/v1/products?limit=no'],
    ] as [string][]),
    ['/v1/availability/batch', { skus }],
    ['/v1/availability/batch', { skus: [...skus, 'no-such-sku'] }],
    ['/v1/availability/batch', { skus: [] }],
    ['/v1/availability/batch', '{"skus":'],
    ...([
      ['/v1/categories'],
      ['/v1/tags'],
      ['/v1/vehicles/years'],
      ['/v1/vehicles/makes?year=2015'],
      ['/v1/vehicles/models?year=2015&make=Toyota'],
    ] as [string][]),
    ...([
      [`/v1/vehicles/${vehicle}/products`],
      ['/v1/vehicles/x/products'],
      [`/v1/products/${skus[0]}/fitments`],
      ['/v1/products/no-such-sku'],
      ['/v1/nothing'],
    ] as [string][]),
    ...([['/health'], ['/v1/ping'], ['/openapi.json']] as [string][]),
  ]

  /** Counts that occur nowhere else: seven digits and a fraction. */
  const count = fc.integer({ min: 1_000_003, max: 9_999_991 }).map((whole) => whole + 0.137)
  const stock = fc.record({
    available: fc.oneof(
      count,
      count.map((value) => -value),
    ),
    expected: fc.array(fc.record({ date: fc.constantFrom('2020-01-01', '2090-05-05'), quantity: count }), {
      maxLength: 2,
    }),
  })

  it('appear in no response, header or log line, whatever is requested and whatever fails', async () => {
    let answers = 0
    const round = fc.record({
      stocks: fc.array(stock, { minLength: 12, maxLength: 12 }),
      fault: fc.constantFrom(...FAULTS),
      faultySystem: fc.constantFrom(...systems),
      passMs: fc.constantFrom(0, 0, 15_000, 15_000, 400_000, 200_000_000),
      requests: fc.array(fc.tuple(fc.nat(3), fc.nat(HEADERS.length), fc.nat(1_000)), {
        minLength: 30,
        maxLength: 60,
        size: 'max',
      }),
    })
    await fc.assert(
      fc.asyncProperty(round, async ({ stocks, fault, faultySystem, passMs, requests }) => {
        const { controlAddress } = sandbox.systems.inventory
        for (const account of ['acme-live', 'acme-sandbox']) {
          await Promise.all(stocks.map((each, at) => setStock(controlAddress, account, skus[at]!, each)))
        }
        now += passMs
        for (const system of systems) await sandbox.systems[system].setFault(system === faultySystem ? fault : {})
        const counts = stocks.flatMap(({ available, expected }) => [
          available,
          ...expected.map(({ quantity }) => quantity),
        ])
        const replies = await Promise.all(
          requests.map(([key, header, path]) => {
            const [where, body] = paths()[path % paths().length]!
            return program.request(where, keys[key]!, { headers: headers[header]!, body })
          }),
        )
        answers += replies.filter(({ status }) => status === 200).length
        const text = replies.map(textOf).join('\n')
        for (const each of counts)
          if (includesCount(text, each))
            throw new Error(`${each} is in ${replies.map(textOf).find((one) => includesCount(one, each))}`)
        allCounts.push(...counts)
      }),
      { numRuns: 15, endOnFailure: true },
    )
    expect(answers).to.be.above(50)
    const log = await program.stopAndReadLog()
    expect(log.split('\n').length).to.be.above(500)
    const written = new Set(log.match(/\d{7}/g))
    for (const each of allCounts)
      if (written.has(String(Math.trunc(Math.abs(each)))))
        expect(includesCount(log, each), String(each)).to.equal(false)
  }).timeout(300_000)
  const allCounts: number[] = []
})
