import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import { setStock, updateProduct } from '../../../src/sandbox/control/inventory-control-client.ts'
import { type Api, startApi } from '../../support/api.ts'

/** A number that no price, id or time contains. */
const STOCK = 918_273_645
const OTHER_NAME = 'Zebrafinch gasket of zenith'
const OWN_NAME = 'Nightingale gasket of acme'

describe('the file of a mirror', () => {
  let api: Api
  let tables: string
  let bytes: Buffer
  let contract: { price_type: string; amount: string; list_amount: string }

  before(async () => {
    api = await startApi({ mirror: { maxAgeMs: 3_600_000 } })
    const { controlAddress } = api.systems.inventory
    await setStock(controlAddress, 'acme', 'BP-1001', { available: STOCK })
    await updateProduct(controlAddress, 'acme', 'BP-1001', { name: OWN_NAME })
    for (const account of ['acme-live', 'zenith'])
      await updateProduct(controlAddress, account, 'BP-1001', { name: OTHER_NAME })
    await api.fillMirror({ tenant: { merchant: 'zenith', mode: 'sandbox' } })
    await api.fillMirror()
    contract = await readContractPrice()
    await api.fillMirror()
    const { path } = api.mirrorOf()
    const database = new DatabaseSync(path, { readOnly: true })
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
    tables = names.map(({ name }) => JSON.stringify(database.prepare(`SELECT * FROM "${name}"`).all())).join('\n')
    database.close()
    const files = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
    bytes = Buffer.concat(files.map((name) => readFileSync(join(dirname(path), name))))
  })
  after(() => api?.[Symbol.asyncDispose]())

  /** As a page, a list and a cart show it to a customer. */
  async function readContractPrice() {
    const key = await api.key({ kind: 'secret' })
    const headers = { 'X-Storefront-Shopper-Token': await api.shopperToken() }
    const post = (path: string, body?: unknown) => api.request(path, { key, headers, method: 'POST', body })
    await api.request('/v1/products?q=OL-1001', { key, headers })
    const cart = `/v1/carts/${(await post('/v1/carts')).body.cart_id}`
    await post(`${cart}/lines`, { sku: 'OL-1001', quantity: 1 })
    await post(`${cart}/price`)
    return (await api.request('/v1/products/OL-1001', { key, headers })).body.price
  }

  const expectAbsent = (text: string) => {
    expect(tables).to.not.include(text)
    expect(bytes.includes(text), `${text} in the bytes`).to.equal(false)
  }

  it('has the merchant’s products', () => {
    expect(tables).to.include(OWN_NAME)
    expect(bytes.includes(OWN_NAME)).to.equal(true)
    expect(tables).to.include('IN_STOCK')
    expect(tables).to.include('"word":"nightingale"')
  })

  it('has no count of a stock, as a text or as a number', () => {
    expectAbsent(String(STOCK))
    const number = Buffer.alloc(4)
    number.writeUInt32BE(STOCK)
    expect(bytes.includes(number), 'as SQLite stores an integer').to.equal(false)
    for (const word of ['available', 'expected', 'on_hand', 'backorder']) expect(tables).to.not.include(`"${word}`)
  })

  it('has no customer’s price', () => {
    expect(contract.price_type).to.equal('CONTRACT')
    const stored = api.mirrorOf().products(['OL-1001'])[0]!.price!
    expect([stored.price_type, stored.amount]).to.deep.equal(['LIST', contract.list_amount])
    expectAbsent('CONTRACT')
    expect(tables).to.not.include('"contract"')
    expectAbsent(`"${contract.amount}"`)
    expectAbsent('"C-1001"')
  })

  it('has no row of another merchant or mode', () => {
    expectAbsent(OTHER_NAME)
    expect(tables).to.not.include('"zebrafinch"')
    for (const name of ['zenith', 'acme-live']) expect(tables).to.not.include(name)
  })
})
