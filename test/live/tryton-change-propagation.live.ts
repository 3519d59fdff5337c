import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Type } from 'typebox'
import type { Rpc } from '../../adapters/tryton/client/rpc.ts'
import { toTrytonDecimal } from '../../adapters/tryton/client/tryton-values.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { connectClerk } from '../support/tryton/connect-tryton.ts'
import { createStockedProducts } from './support/create-tryton-records.ts'
import { requestFinalReply } from './support/final-reply.ts'
import { type ForecourtProcess, startForecourtProcess } from './support/forecourt-process.ts'
import { createCallWithLongDeadline } from './support/long-deadline-call.ts'
import { takeFromStock } from './support/take-from-tryton-stock.ts'
import { createTemporaryDatabase } from './support/temporary-tryton-database.ts'
import { waitUntil } from './support/wait-until.ts'

/** The long form: `CHANGES=100 npm run test:live`. */
const CHANGES = Number(process.env.CHANGES ?? 12)
const INTERVAL_S = 1

const Anything = responseSchema(Type.Unknown())
const Ids = responseSchema(Type.Array(Type.Integer()))
/** A picture of one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('changes in a real Tryton, as the API shows them', function () {
  this.timeout(3_600_000)
  let desk: { rpc: Rpc; close(): Promise<void> }
  let shop: ForecourtProcess
  let skus: string[]
  let ids: Map<string, { product: number; template: number }>

  before(async () => {
    const own = await createTemporaryDatabase()
    desk = connectClerk(own.clerk)
    skus = await createStockedProducts(desk.rpc, CHANGES, 'SYN')
    ids = await idsOf(skus)
    shop = await startForecourtProcess({
      erp: own.storefront,
      settings: [`feed: { interval_seconds: ${INTERVAL_S} }`],
    })
    await waitUntil('all that was there is known', async () => {
      const feeds = await shop.db.selectFrom('feeds').select('baseline').where('mode', '=', 'live').execute()
      return feeds.length === 5 && feeds.every(({ baseline }) => baseline === 0)
    })
  })
  after(async () => {
    await shop?.[Symbol.asyncDispose]()
    await desk?.close()
  })

  it('a price', async () => {
    await told('price', async (sku, n) => {
      const price = `${2_000 + n}.25`
      await write('product.template', ids.get(sku)!.template, { list_price: toTrytonDecimal(price) })
      return ({ price: shown }) => shown.amount === price
    })
  })

  it('a name', async () => {
    await told('name', async (sku, n) => {
      const name = `Cabin Filter, charcoal, ${n}`
      await write('product.template', ids.get(sku)!.template, { name })
      return (product) => product.name === name
    })
  })

  it('stock, when its band changes', async () => {
    await told('stock', async (sku) => {
      await takeFromStock(desk.rpc, sku, 48)
      return ({ availability }) => availability.band === 'LOW'
    })
  })

  it('a picture', async () => {
    await told('picture', async (sku) => {
      const { template } = ids.get(sku)!
      const before = JSON.stringify((await product(sku)).media)
      await attach(template, `${sku}.png`)
      return ({ media }) => JSON.stringify(media) !== before && media.length > 0
    })
  })

  /** Changes products that were read before one by one, and measures how long a reader sees the old value. */
  async function told(what: string, change: (sku: string, n: number) => Promise<Seen>): Promise<void> {
    const times: number[] = []
    const failures = async () => (await shop.log()).split('"upstream failed"').length
    const before = await failures()
    for (const [n, sku] of skus.entries()) {
      // The value is cached and fresh now: only a change notification replaces it.
      await product(sku)
      await pause((n * 370) % 1_000)
      const seen = await change(sku, n)
      const from = performance.now()
      await waitUntil(`the ${what} of ${sku} is seen`, async () => seen(await product(sku)))
      times.push(performance.now() - from)
    }
    const sorted = times.toSorted((a, b) => a - b)
    const [p50, most] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!]
    const late = times.filter((ms) => ms > (INTERVAL_S + 1) * 1_000).length
    process.stdout.write(
      `      ${what}: seen after p50 ${p50.toFixed(0)} ms, at most ${most.toFixed(0)} ms, asked every ${INTERVAL_S} s; ` +
        `${late} of ${times.length} later than the interval and a second; Tryton failed ${(await failures()) - before} times meanwhile\n`,
    )
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
  type Shown = any
  type Seen = (product: Shown) => boolean

  async function product(sku: string): Promise<Shown> {
    const { status, body, text } = await requestFinalReply(() => shop.ask('GET', `/v1/products/${sku}`))
    expect(status, text).to.equal(200)
    return body
  }

  const write = (model: string, id: number, values: object) =>
    desk.rpc(Anything, `${model}.write`, [[id], values], createCallWithLongDeadline())

  async function attach(template: number, name: string): Promise<void> {
    const data = { __class__: 'bytes', base64: PNG }
    const values = { name, type: 'data', resource: `product.template,${template}`, data }
    await desk.rpc(Ids, 'ir.attachment.create', [[values]], createCallWithLongDeadline())
  }

  async function idsOf(of: readonly string[]) {
    const Rows = responseSchema(
      Type.Array(Type.Object({ id: Type.Integer(), code: Type.String(), template: Type.Integer() })),
    )
    const asked = [[['code', 'in', of]], 0, null, null, ['code', 'template']]
    const rows = await desk.rpc(Rows, 'product.product.search_read', asked, createCallWithLongDeadline())
    return new Map(rows.map(({ id, code, template }) => [code, { product: id, template }]))
  }
})
