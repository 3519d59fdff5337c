import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import sharp from 'sharp'
import { Type } from 'typebox'
import type { Rpc } from '../../adapters/tryton/rpc.ts'
import type { Client } from '../../src/ports/adapter.ts'
import { shape } from '../../src/upstream/shape.ts'
import { BOTH, call } from '../adapters/subject.ts'
import { jpeg } from '../media/originals.ts'
import { type Api, startApi } from '../support/api.ts'
import { exchange } from '../support/exchange.ts'
import { clerk, trytonPorts } from '../support/tryton-subject.ts'
import { startUpstream, type Upstream } from '../support/upstream.ts'
import { trytonServer } from './tryton-server.ts'

const Ids = shape(Type.Array(Type.Integer()))
const Anything = shape(Type.Unknown())
const FEED_MS = 5_000

interface Shown {
  thumb_url: string
  large_url: string
  alt: string | null
  position: number
}

describe('pictures of a real Tryton', () => {
  const { storefront, clerk: desk } = trytonServer()
  const made: number[] = []
  let api: Api
  let key: string
  let rpc: Rpc
  let close: () => Promise<void>
  let elsewhere: Upstream
  let photos: { red: Buffer; blue: Buffer }

  before(async () => {
    photos = { red: await jpeg(900, 600, '#c02020'), blue: await jpeg(900, 600, '#2020c0') }
    elsewhere = await startUpstream((response) => void response.writeHead(200).end(photos.blue))
    const { address, ...login } = storefront
    const system = { adapter: 'tryton', address, settings: login, limits: { timeoutMs: 20_000 } }
    const inventory = { ...system, maxResponseBytes: 16 * 1_048_576 }
    ;({ rpc, close } = clerk(desk))
    api = await startApi({
      merchants: () => [{ merchant: 'erp', sandbox: { inventory } }],
      ...{ deadlineMs: 30_000, feedIntervalMs: FEED_MS },
      media: { maxBytes: 64 * 1_048_576, allow: [`127.0.0.1:${new URL(elsewhere.address).port}`] },
    })
    key = await api.key({ merchant: 'erp' })
  })
  after(async () => {
    if (made.length > 0) await rpc(Anything, 'ir.attachment.delete', [made], call())
    await api[Symbol.asyncDispose]()
    await close()
    await elsewhere.close()
  })

  const shown = async (sku: string): Promise<Shown[]> => (await api.ask(`/v1/products/${sku}`, { key })).body.media
  const fetched = (url: string) => exchange(api.address, new URL(url).pathname)
  const bytes = (content: Buffer) => ({ __class__: 'bytes', base64: content.toString('base64') })

  async function hang(code: string, values: object): Promise<number> {
    const [product] = await rpc(Ids, 'product.product.search', [[['code', '=', code]], 0, 1, null], call())
    const attachment = { resource: `product.product,${product}`, type: 'data', ...values }
    const [id] = await rpc(Ids, 'ir.attachment.create', [[attachment]], call())
    made.push(id!)
    return id!
  }

  /** What is promised of the feed: its interval and a second. */
  async function soon<T>(what: string, find: () => Promise<T | undefined>): Promise<T> {
    const end = Date.now() + FEED_MS + 1_000
    for (;;) {
      const found = await find()
      if (found !== undefined) return found
      if (Date.now() > end) throw new Error(`waited ${FEED_MS + 1_000} ms in vain until ${what}`)
      await pause(50)
    }
  }

  it('are served as WebP in both sizes, in the order of their names', async () => {
    const media = await shown('PAD-001')
    expect(media.map(({ position, alt }) => [position, alt])).to.deep.equal([
      [1, 'Brake pads from the front'],
      [2, null],
    ])
    const sizes = []
    for (const { thumb_url, large_url } of media) {
      for (const url of [thumb_url, large_url]) {
        const { status, headers, bytes } = await fetched(url)
        expect([status, headers['content-type']]).to.deep.equal([200, 'image/webp'])
        const { width, height, exif } = await sharp(bytes).metadata()
        expect(exif).to.equal(undefined)
        sizes.push([width, height])
      }
    }
    // The first was taken with the camera held upright, and is smaller than what is served at the most.
    expect(sizes).to.deep.equal([
      [120, 160],
      [360, 480],
      [160, 96],
      [800, 480],
    ])
  })

  it('leave out what is no picture, and are no section that fails', async () => {
    const { body } = await api.ask('/v1/products/OFL-001', { key })
    expect(body.media).to.have.length(1)
    expect(body.errors.filter(({ field }: { field: string }) => field === 'media')).to.deep.equal([])
    expect((await api.ask('/v1/products/CLT-001', { key })).body.media).to.deep.equal([])
  })

  it('are seen when they are new, when their content changes, and when they are renamed', async () => {
    expect(await shown('BLB-001')).to.deep.equal([])
    await pause(1_000)
    const id = await hang('BLB-001', { name: 'blb.jpg', data: bytes(photos.red) })
    const first = await soon('the new picture is there', async () => (await shown('BLB-001'))[0])
    const before = await fetched(first.large_url)
    await rpc(Anything, 'ir.attachment.write', [[id], { data: bytes(photos.blue) }], call())
    const second = await soon('the changed picture is there', async () => {
      const [now] = await shown('BLB-001')
      return now?.large_url === first.large_url ? undefined : now
    })
    const after = await fetched(second.large_url)
    expect([before.status, after.status]).to.deep.equal([200, 200])
    expect(after.headers.etag).to.not.equal(before.headers.etag)
    await rpc(Anything, 'ir.attachment.write', [[id], { name: 'blb.pdf' }], call())
    await soon('it is no picture any more', async () => ((await shown('BLB-001')).length === 0 ? true : undefined))
  })

  it('that are links are fetched without a credential, from hosts that may be reached alone', async () => {
    const { port } = new URL(elsewhere.address)
    await hang('BLB-002', { name: 'a', type: 'link', link: `${elsewhere.address}/a.jpg` })
    await hang('BLB-002', { name: 'b', type: 'link', link: `http://localhost:${port}/b.jpg` })
    await hang('BLB-002', { name: 'c', type: 'link', link: 'file:///etc/passwd.jpg' })
    const [open, shut, ...more] = await soon('they are there', async () => {
      const media = await shown('BLB-002')
      return media.length > 0 ? media : undefined
    })
    expect(more).to.deep.equal([])
    expect((await fetched(open!.thumb_url)).status).to.equal(200)
    expect((await fetched(shut!.thumb_url)).status).to.equal(502)
    expect(elsewhere.seen.map(({ path }) => path)).to.deep.equal(['/a.jpg'])
    expect(elsewhere.seen[0]!.headers).to.not.have.any.keys('authorization', 'cookie')
  })

  it('cost a page one question, asked together with its products', async () => {
    const asked: { method: string; from: number; to: number }[] = []
    const watch = (client: Client): Client => ({
      ...client,
      async send(exchange, call) {
        const from = performance.now()
        const reply = await client.send(exchange, call)
        asked.push({ method: (exchange.body as { method: string }).method, from, to: performance.now() })
        return reply
      },
    })
    const { inventory, close } = trytonPorts(storefront, watch)
    const { items } = await inventory.search({ limit: 40, offset: 0 }, BOTH, call())
    asked.length = 0
    const page = await inventory.items(
      items.map(({ sku }) => sku),
      BOTH,
      call(),
    )
    await close()
    expect(page.filter(({ product }) => (product?.media?.length ?? 0) > 0).length).to.be.at.least(2)
    const of = (model: string) => asked.filter(({ method }) => method.startsWith(`model.${model}.`))
    expect([of('product.product').length, of('ir.attachment').length]).to.deep.equal([1, 1])
    expect(of('ir.attachment')[0]!.from).to.be.lessThan(of('product.product')[0]!.to)
  })

  it('are handed out of products alone', async () => {
    const { inventory, close } = trytonPorts(storefront)
    const [party] = await rpc(Ids, 'party.party.search', [[], 0, 1, null], call())
    const other = await hang('BLB-001', {
      name: 'contract.jpg',
      data: bytes(photos.red),
      resource: `party.party,${party}`,
    })
    for (const source of [String(other), '999999', '0', '-1', 'x', '1e3'])
      expect(await inventory.picture!(source, call()), source).to.equal(null)
    await close()
  })
})
