import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { BoostConfig } from '../../../src/config/mirror-config.ts'
import { setStock, updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'
import { createCommandHost } from '../../support/command-host.ts'
import { until } from '../../support/until.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

interface Row {
  sku: string
  brand: string | null
  availability: { band: string } | null
}

const MERCHANT = 'ranked'
const BRAND = 'Promoted Parts'
const boosts: BoostConfig[] = [{ field: 'brand', value: BRAND, boost: 5 }]
const PADS = 'category=brake-pads'

describe('the order of a list by relevance', function () {
  this.timeout(300_000)
  const host = createCommandHost()
  let api: Api
  let key: string
  let shopper: CartShopper
  let nonce = 0

  before(async () => {
    api = await startApi({
      feedIntervalMs: 200,
      merchants: (systemsOf) => [
        { merchant: MERCHANT, sandbox: systemsOf('acme'), mirror: { maxAgeMs: 600_000, boosts } },
      ],
    })
    key = await api.key({ merchant: MERCHANT })
    shopper = await cartShopper(api, { merchant: MERCHANT })
    // An order by price needs the mirror, with its stock and prices.
    await until('the mirror is filled', async () => {
      const { status, body } = await get(`${PADS}&sort=price&facets=availability`)
      return status === 200 && body.facets.availability.length > 0 && body.errors.length === 0
    })
  })
  after(async () => {
    host.stop()
    await api[Symbol.asyncDispose]()
  })

  /** Reads a list, past the cache of responses. */
  const get = (query: string) => api.request(`/v1/products?${query}&limit=200&x=${nonce++}`, { key })
  async function list(query = PADS): Promise<Row[]> {
    const { status, body } = await get(query)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.data
  }
  const skusOf = (rows: readonly Row[]) => rows.map(({ sku }) => sku)
  const isOut = ({ availability }: Row) => availability === null || availability.band === 'OUT'
  const waitFor = (description: string, isTrue: (skus: string[]) => boolean, query?: string) =>
    until(description, async () => isTrue(skusOf(await list(query))))
  const setBrand = (sku: string) => updateProduct(api.systems.inventory.controlAddress, 'acme', sku, { brand: BRAND })

  it('begins with what sells, and forgets a cancelled order', async () => {
    const available = (await list()).filter((row) => !isOut(row))
    const [best, second] = skusOf(available).slice(-2) as [string, string]
    expect(skusOf(available).indexOf(best), 'they are among the last').to.be.greaterThan(10)
    const orders: string[] = []
    for (const sku of [second, best, best]) orders.push(await shopper.order({ sku, quantity: 1 }))
    const isFirst = (skus: string[]) => skus[0] === best && skus[1] === second
    await waitFor('both come first', isFirst)
    await waitFor('so they do for words', isFirst, 'q=pads+brake')
    for (const sort of ['name', 'price', '-price', 'newest'])
      expect(isFirst(skusOf(await list(`${PADS}&sort=${sort}`))), sort).to.equal(false)
    const { status } = await shopper.ask('POST', `/v1/orders/${orders[0]}/cancel`, {})
    expect(status).to.equal(200)
    await waitFor('it is one of many again', (skus) => skus[0] === best && skus.indexOf(second) > 5)
  })

  it('has what is out of stock after what is not, among products that sell alike', async () => {
    const [, first] = skusOf(await list()) as [string, string]
    await setStock(api.systems.inventory.controlAddress, 'acme', first, { available: 0 })
    let rows: Row[] = []
    await until('it is out of stock', async () => {
      rows = await list()
      return isOut(rows.find(({ sku }) => sku === first)!)
    })
    await until('it comes later', async () => skusOf(await list())[1] !== first)
    const outOfStock = (await list()).slice(1).map(isOut)
    expect(outOfStock).to.deep.equal(outOfStock.toSorted())
  })

  it('moves the products of a boosted brand, in this order only', async () => {
    const before = skusOf(await list())
    const promoted = [before.at(-1)!, before.at(-3)!]
    for (const sku of promoted) await setBrand(sku)
    await waitFor('they come first', (skus) => promoted.every((sku) => skus.slice(0, 2).includes(sku)))
    const byPrice = await list(`${PADS}&sort=price`)
    const isFirst = ({ brand }: Row) => brand === BRAND
    expect(byPrice.slice(0, 2).every(isFirst)).to.equal(false)
    expect((await list(`${PADS}&sort=name`)).slice(0, 2).every(isFirst)).to.equal(false)
  })

  it('has an exact number first, whatever sells and is boosted', async () => {
    const [best] = skusOf(await list()) as [string]
    const rare = skusOf(await list('category=brake-discs')).at(-1)!
    const { controlAddress } = api.systems.inventory
    await updateProduct(controlAddress, 'acme', best, { name: `Pads that fit ${rare}` })
    const query = `q=${encodeURIComponent(rare)}`
    await waitFor('both are found', (skus) => skus.includes(best) && skus.includes(rare), query)
    expect(skusOf(await list(query))[0]).to.equal(rare)
  })

  it('is the order of forecourt mirror search', async () => {
    const directory = dirname(api.store.replace('sqlite:', ''))
    const adapter = { adapter: 'rest', address: api.systems.inventory.address, token: 'sandbox' }
    const settings = { name: 'Ranked', currency: 'JMD', time_zone: 'UTC', sandbox: { inventory: adapter } }
    const mirror = { boosts: boosts.map(({ field, value, boost }) => ({ [field]: value, boost })) }
    const config = join(directory, 'ranked.yaml')
    await writeFile(config, JSON.stringify({ data: directory, merchants: { [MERCHANT]: { ...settings, mirror } } }))
    const args = ['mirror', 'search', MERCHANT, 'brake pads', '--mode', 'sandbox', '--limit', '200', '--json']
    const { out, err } = await host.run([...args, '--config', config], {
      cwd: directory,
      env: { FORECOURT_DATA: directory },
    })
    expect(err).to.equal('')
    const found = skusOf(JSON.parse(out).data)
    expect(found.length).to.be.greaterThan(20)
    expect(found).to.deep.equal(skusOf(await list('q=brake+pads')))
  })
})
