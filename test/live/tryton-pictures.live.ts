import { expect } from 'chai'
import sharp from 'sharp'
import { Type } from 'typebox'
import type { Rpc } from '../../adapters/tryton/client/rpc.ts'
import type { HttpClient } from '../../src/ports/http-client.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { BOTH_ITEM_PARTS } from '../adapters/conformance/both-item-parts.ts'
import { jpeg } from '../media/sample-images.ts'
import { type Api, startApi } from '../support/api.ts'
import { createCall } from '../support/create-call.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { sendHttpRequest } from '../support/send-http-request.ts'
import { connectClerk, connectTrytonPorts } from '../support/tryton/connect-tryton.ts'
import { trytonAccess } from './support/tryton-environment.ts'
import { trytonSeriesDifferences } from './support/tryton-series-differences.ts'
import { waitUntil } from './support/wait-until.ts'

const Ids = responseSchema(Type.Array(Type.Integer()))
const Anything = responseSchema(Type.Unknown())
const FEED_MS = 5_000

interface Shown {
  thumb_url: string
  large_url: string
  alt: string | null
  position: number
}

describe('pictures of a real Tryton', function () {
  this.timeout(3_600_000)
  const { storefront, clerk: desk } = trytonAccess()
  const made: number[] = []
  let api: Api
  let key: string
  let rpc: Rpc
  let close: () => Promise<void>
  let elsewhere: ScriptedUpstream
  let photos: { red: Buffer; blue: Buffer }

  before(async () => {
    photos = { red: await jpeg(900, 600, '#c02020'), blue: await jpeg(900, 600, '#2020c0') }
    elsewhere = await startScriptedUpstream((response) => void response.writeHead(200).end(photos.blue))
    const { address, ...login } = storefront
    const system = { adapter: 'tryton', address, settings: login, limits: { timeoutMs: 60_000 } }
    const inventory = { ...system, maxResponseBytes: 16 * 1_048_576 }
    ;({ rpc, close } = connectClerk(desk))
    api = await startApi({
      merchants: () => [{ merchant: 'erp', sandbox: { inventory } }],
      deadlineMs: 120_000,
      feedIntervalMs: FEED_MS,
      media: { maxBytes: 64 * 1_048_576, allow: [`127.0.0.1:${new URL(elsewhere.address).port}`] },
    })
    key = await api.key({ merchant: 'erp' })
  })
  after(async () => {
    if (made.length > 0) await rpc(Anything, 'ir.attachment.delete', [made], createCall())
    await api[Symbol.asyncDispose]()
    await close()
    await elsewhere.close()
  })

  const shown = async (sku: string): Promise<Shown[]> => (await api.request(`/v1/products/${sku}`, { key })).body.media
  const fetched = (url: string) => sendHttpRequest(api.address, new URL(url).pathname)
  const bytes = (content: Buffer) => ({ __class__: 'bytes', base64: content.toString('base64') })

  async function hang(code: string, values: object): Promise<number> {
    const [product] = await rpc(Ids, 'product.product.search', [[['code', '=', code]], 0, 1, null], createCall())
    const attachment = { resource: `product.product,${product}`, type: 'data', ...values }
    const [id] = await rpc(Ids, 'ir.attachment.create', [[attachment]], createCall())
    made.push(id!)
    return id!
  }

  /** The last state of a product in the change feed. */
  async function noted(sku: string): Promise<string | null> {
    const rows = api.db
      .selectFrom('resources')
      .select('state')
      .where('tenant_id', '=', 'erp')
      .where('type', '=', 'product')
    return (await rows.where('id', '=', sku).executeTakeFirst())?.state ?? null
  }

  /** Waits for the change in the feed itself, even when a page was read in the meantime. */
  async function brought<T>(
    what: string,
    sku: string,
    change: () => Promise<unknown>,
    find: () => Promise<T | undefined>,
  ) {
    const before = await noted(sku)
    await change()
    const from = performance.now()
    let found: T | undefined
    await waitUntil(`the feed has seen that ${what}`, async () => (await noted(sku)) !== before)
    await waitUntil(what, async () => {
      found = await find()
      return found !== undefined
    })
    const ms = performance.now() - from
    process.stdout.write(`      ${what} after ${ms.toFixed(0)} ms, with a feed every ${FEED_MS} ms\n`)
    return found!
  }

  it('are served as WebP in both sizes, ordered by name', async () => {
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
    // The first picture has an orientation tag, and is smaller than the maximum size.
    expect(sizes).to.deep.equal([
      [120, 160],
      [360, 480],
      [160, 96],
      [800, 480],
    ])
  })

  it('leave out other attachments without a section error', async () => {
    const { body } = await api.request('/v1/products/OFL-001', { key })
    expect(body.media).to.have.length(1)
    expect(body.errors.filter(({ field }: { field: string }) => field === 'media')).to.deep.equal([])
    expect((await api.request('/v1/products/CLT-001', { key })).body.media).to.deep.equal([])
  })

  it('appear when they are added, changed or renamed', async () => {
    expect(await shown('BLB-001')).to.deep.equal([])
    await waitUntil('the feed knows what was there', async () => (await noted('BLB-001')) !== null)
    let id = 0
    const hung = async () => {
      id = await hang('BLB-001', { name: 'blb.jpg', data: bytes(photos.red) })
    }
    const first = await brought('the new picture is there', 'BLB-001', hung, async () => (await shown('BLB-001'))[0])
    const before = await fetched(first.large_url)
    const write = (values: object) => () => rpc(Anything, 'ir.attachment.write', [[id], values], createCall())
    const changed = async () => {
      const [now] = await shown('BLB-001')
      return now?.large_url === first.large_url ? undefined : now
    }
    const repainted = write({ data: bytes(photos.blue) })
    const second = await brought('the changed picture is there', 'BLB-001', repainted, changed)
    const after = await fetched(second.large_url)
    expect([before.status, after.status]).to.deep.equal([200, 200])
    expect(after.headers.etag).to.not.equal(before.headers.etag)
    const gone = async () => ((await shown('BLB-001')).length === 0 ? true : undefined)
    await brought('it is no picture any more', 'BLB-001', write({ name: 'blb.pdf' }), gone)
  })

  it('that are links are fetched without credentials, from allowed hosts only', async () => {
    const { port } = new URL(elsewhere.address)
    await waitUntil('the feed knows what was there', async () => (await noted('BLB-002')) !== null)
    const hung = async () => {
      await hang('BLB-002', { name: 'a', type: 'link', link: `${elsewhere.address}/a.jpg` })
      await hang('BLB-002', { name: 'b', type: 'link', link: `http://localhost:${port}/b.jpg` })
      await hang('BLB-002', { name: 'c', type: 'link', link: 'file:///etc/passwd.jpg' })
    }
    const [open, shut, ...more] = await brought('they are there', 'BLB-002', hung, async () => {
      const media = await shown('BLB-002')
      return media.length > 1 ? media : undefined
    })
    expect(more).to.deep.equal([])
    expect((await fetched(open!.thumb_url)).status).to.equal(200)
    expect((await fetched(shut!.thumb_url)).status).to.equal(502)
    expect(elsewhere.requests.map(({ path }) => path)).to.deep.equal(['/a.jpg'])
    expect(elsewhere.requests[0]!.headers).to.not.have.any.keys('authorization', 'cookie')
  })

  it('take one call per page, or two from 8.2 on, in parallel with its products', async () => {
    const asked: { method: string; from: number; to: number }[] = []
    const watch = (client: HttpClient): HttpClient => ({
      ...client,
      async send(exchange, call) {
        const from = performance.now()
        const reply = await client.send(exchange, call)
        asked.push({ method: (exchange.body as { method: string }).method, from, to: performance.now() })
        return reply
      },
    })
    const { inventory, close } = connectTrytonPorts(storefront, watch)
    const { items } = await inventory.search({ limit: 40, offset: 0 }, BOTH_ITEM_PARTS, createCall())
    asked.length = 0
    const page = await inventory.items(
      items.map(({ sku }) => sku),
      BOTH_ITEM_PARTS,
      createCall(),
    )
    await close()
    expect(page.filter(({ product }) => (product?.media?.length ?? 0) > 0).length).to.be.at.least(2)
    const of = (model: string) => asked.filter(({ method }) => method.startsWith(`model.${model}.`))
    const [products, attachments] = [of('product.product'), of('ir.attachment')]
    // To search by record, Tryton is asked for the records first.
    const recordCalls = trytonSeriesDifferences().searchesAttachmentsByRecord ? 1 : 0
    expect([products.length, attachments.length]).to.deep.equal([1 + recordCalls, 1])
    const beforePictures = recordCalls === 0 ? attachments : products
    expect(Math.max(...beforePictures.map(({ from }) => from))).to.be.lessThan(
      Math.min(...products.map(({ to }) => to)),
    )
  })

  it('are served for products only', async () => {
    const { inventory, close } = connectTrytonPorts(storefront)
    const [party] = await rpc(Ids, 'party.party.search', [[], 0, 1, null], createCall())
    const other = await hang('BLB-001', {
      name: 'contract.jpg',
      data: bytes(photos.red),
      resource: `party.party,${party}`,
    })
    for (const source of [String(other), '999999', '0', '-1', 'x', '1e3'])
      expect(await inventory.picture!(source, createCall()), source).to.equal(null)
    await close()
  })
})
