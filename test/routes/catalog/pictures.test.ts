import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { get as httpGet, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import { knownSkus } from '../../../fixtures/known-skus.ts'
import { listIncidents } from '../../../src/diagnostics/reports/incidents.ts'
import { readRequestRecords } from '../../../src/diagnostics/reports/request-records.ts'
import { addCircuitHold } from '../../../src/storage/operators/holds-and-purges.ts'
import { type ApiWithPictures, startApiWithPictures } from '../../media/api-with-pictures.ts'
import { invalidImages, jpeg, photo } from '../../media/sample-images.ts'
import { startApi } from '../../support/api.ts'
import { describeWithAndWithoutMirror } from '../../support/describe-with-and-without-mirror.ts'
import { sendHttpRequest } from '../../support/send-http-request.ts'
import { until } from '../../support/until.ts'

const IMMUTABLE = 'public, max-age=31536000, immutable'

describe('GET /media', () => {
  let shop: ApiWithPictures
  let photos: { brake: Buffer; disc: Buffer; png: Buffer }
  let strange: Record<string, Buffer>
  let count = 0

  /** A picture that was not requested before. */
  function hang(bytes: Buffer, id = `p${++count}`): string {
    shop.pictures.set(id, { content_id: `v${count}`, bytes })
    return id
  }

  before(async () => {
    strange = await invalidImages()
    photos = {
      brake: await jpeg(1_000, 500),
      disc: await jpeg(640, 640, '#204080'),
      png: await photo(300, 200).png().toBuffer(),
    }
    shop = await startApiWithPictures()
  })
  after(() => shop[Symbol.asyncDispose]())

  it('serves both sizes of an original as WebP, from one fetch, without a key', async () => {
    const id = hang(photos.brake)
    const thumb = await shop.get(await shop.path(id))
    const large = await shop.get(await shop.path(id, { size: 'large' }))
    for (const [{ status, headers, bytes }, width] of [
      [thumb, 160],
      [large, 800],
    ] as const) {
      expect(status).to.equal(200)
      expect(headers).to.include({
        'content-type': 'image/webp',
        'cache-control': IMMUTABLE,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'x-service-mode': 'live',
        'content-length': String(bytes.length),
      })
      expect(headers['x-request-id']).to.match(/\S/)
      expect(headers).to.not.have.any.keys('vary', 'set-cookie')
      expect(await sharp(bytes).metadata()).to.include({ format: 'webp', width, height: width / 2 })
    }
    expect(thumb.headers.etag)
      .to.match(/^"[\w-]{43}"$/)
      .and.not.equal(large.headers.etag)
    expect(shop.countFetches(id)).to.equal(1)
  })

  it('sends the same response to every origin, so that one copy in a CDN serves all', async () => {
    const path = await shop.path(hang(photos.png))
    const [plain, from] = [await shop.get(path), await shop.get(path, { headers: { origin: 'https://a.example' } })]
    expect(from.headers).to.include({ 'access-control-allow-origin': '*' }).and.not.have.any.keys('vary')
    expect(from.bytes.equals(plain.bytes)).to.equal(true)
    expect((await shop.get(await shop.path(hang(photos.png), { mode: 'sandbox' }))).headers).to.include({
      'x-service-mode': 'sandbox',
    })
  })

  it('reports a back office that does not deliver a picture, and its recovery, to operators', async () => {
    const path = await shop.path(hang(photos.png, 'withheld'))
    shop.pictures.set('withheld', { content_id: `v${count}`, bytes: (response) => void response.writeHead(503).end() })
    const { status, headers } = await shop.get(path)
    expect(status).to.equal(502)
    const recorded = () => readRequestRecords(shop.api.db, String(headers['x-request-id']))
    await until('it is recorded', async () => (await recorded()).length > 0)
    const [record] = await recorded()
    expect(record).to.include({ tenant: 'shop', mode: 'live', keyId: null })
    expect(record!.sections[0]).to.include({ name: 'picture', system: 'inventory', cause: 'responded 503' })
    expect(record!.calls.map(({ operation, outcome }) => [operation, outcome])).to.deep.equal([['picture', 'error']])
    const { incidents } = await listIncidents(shop.api.db, { limit: 5 })
    expect(incidents.map(({ tenant, system, section }) => [tenant, system, section])).to.deep.include([
      ...['shop', 'inventory', 'picture'],
    ])
  })

  it('opens no incident for an unreadable picture', async () => {
    const { status, headers } = await shop.get(await shop.path(hang(Buffer.from('no picture'))))
    expect(status).to.equal(502)
    const recorded = () => readRequestRecords(shop.api.db, String(headers['x-request-id']))
    await until('it is recorded', async () => (await recorded()).length > 0)
    expect((await recorded())[0]).to.include({ tenant: null })
  })

  it('responds to HEAD, and with 304 to a client that has the picture', async () => {
    const path = await shop.path(hang(photos.png))
    const { headers, bytes } = await shop.get(path)
    const head = await shop.get(path, { method: 'HEAD' })
    expect([head.status, head.bytes.length]).to.deep.equal([200, 0])
    expect(head.headers).to.include({ 'content-length': String(bytes.length), etag: headers.etag! })
    for (const tag of [headers.etag!, `W/${headers.etag}`, '*']) {
      const { status, bytes, headers: responseHeaders } = await shop.get(path, { headers: { 'if-none-match': tag } })
      expect([status, bytes.length, responseHeaders.etag, responseHeaders['cache-control']]).to.deep.equal([
        304,
        0,
        headers.etag,
        IMMUTABLE,
      ])
    }
    expect((await shop.get(path, { headers: { 'if-none-match': '"other"' } })).status).to.equal(200)
    expect((await shop.get(path, { method: 'POST', body: {} })).status).to.equal(405)
  })

  it('sends the mode of the URL on every response', async () => {
    const path = await shop.path(hang(photos.png), { mode: 'sandbox' })
    for (const [method, status] of [
      ['GET', 200],
      ['POST', 405],
      ['OPTIONS', 204],
    ] as const) {
      const reply = await shop.get(path, { method })
      expect([reply.status, reply.headers['x-service-mode']], method).to.deep.equal([status, 'sandbox'])
    }
    const { headers } = await shop.get(path.replace('/sandbox/', '/live/'), { method: 'OPTIONS' })
    expect(headers['x-service-mode']).to.equal('live')
  })

  it('rejects a URL with a wrong signature without calling the back office', async () => {
    const id = hang(photos.disc)
    const path = await shop.path(id)
    const sandbox = await shop.path(id, { mode: 'sandbox' })
    const other = await shop.path(id, { merchant: 'other' })
    const [, , merchant, mode, source, signed] = path.split('/')
    const paths = [
      `/media/${merchant}/${mode}/${source}/${signed}/huge.webp`,
      `/media/${merchant}/${mode}/${source}/${signed}/thumb.jpg`,
      `/media/${merchant}/${mode}/${source}/${signed}`,
      `/media/${merchant}/${mode}/${source}/x${signed}/thumb.webp`,
      `/media/${merchant}/${mode}/x${source}/${signed}/thumb.webp`,
      `/media/${merchant}/sandbox/${source}/${signed}/thumb.webp`,
      `/media/other/${mode}/${source}/${signed}/thumb.webp`,
      `/media/nobody/${mode}/${source}/${signed}/thumb.webp`,
      `/media/${merchant}/__proto__/${source}/${signed}/thumb.webp`,
      `/media/${merchant}/${mode}/${source}/${sandbox.split('/')[5]}/thumb.webp`,
      `/media/${merchant}/${mode}/${source}/${other.split('/')[5]}/thumb.webp`,
      `/media/${merchant}/${mode}/%2e%2e%2f/${signed}/thumb.webp`,
      '/media/%ff/%ff/%ff/%ff/thumb.webp',
    ]
    const before = shop.inventory.requests.length
    for (const wrong of paths) {
      const { status, headers, body } = await shop.get(wrong)
      expect([status, body?.code, headers['cache-control']], wrong).to.deep.equal([404, 'not_found', 'no-store'])
    }
    expect(shop.inventory.requests.length).to.equal(before)
    expect((await shop.get(path)).status).to.equal(200)
  })

  it('never changes the content of a URL: a changed picture has another URL', async () => {
    const id = hang(photos.brake)
    const old = await shop.path(id)
    shop.pictures.set(id, { content_id: 'another', bytes: photos.disc })
    const { status, headers } = await shop.get(old)
    expect([status, headers['cache-control'], headers.etag]).to.deep.equal([404, 'no-store', undefined])
    shop.pictures.delete(id)
    expect((await shop.get(old)).status).to.equal(404)
  })

  it('makes one call for concurrent requests, and a client that disconnects does not affect the others', async () => {
    const waiting: (() => void)[] = []
    const id = hang(photos.brake)
    const path = await shop.path(id)
    const { content_id } = shop.pictures.get(id)!
    shop.pictures.set(id, {
      content_id,
      bytes: (response) =>
        void waiting.push(() => response.writeHead(200, { etag: `"${content_id}"` }).end(photos.brake)),
    })
    const leaving = httpGet(shop.api.address + path)
    leaving.on('error', () => {})
    await until('the original is asked for', () => waiting.length > 0)
    const replies = Promise.all(Array.from({ length: 50 }, () => shop.get(path)))
    leaving.destroy()
    await until('it has left', () => leaving.closed)
    waiting[0]!()
    const all = await replies
    expect(new Set(all.map(({ status }) => status))).to.deep.equal(new Set([200]))
    expect(new Set(all.map(({ headers }) => headers.etag)).size).to.equal(1)
    expect([waiting.length, shop.countFetches(id)]).to.deep.equal([1, 1])
  })

  it('rejects a file that is not a picture, after reading it once', async () => {
    for (const [kind, bytes] of Object.entries(strange)) {
      const id = hang(bytes)
      const path = await shop.path(id)
      for (const _ of [1, 2]) {
        const { status, headers, text } = await shop.get(path)
        expect([status, headers['cache-control'], headers['retry-after']], kind).to.deep.equal([502, 'no-store', '60'])
        expect(text).to.not.match(/passwd|script|VipsJpeg|libvips/)
      }
      expect(shop.countFetches(id), kind).to.equal(1)
    }
    expect((await shop.get(await shop.path(hang(photos.png)))).status).to.equal(200)
  })

  it('reports upstream failures as other routes do', async () => {
    const failing = { 500: 502, 503: 502, 401: 502, 302: 502, 429: 503 }
    for (const [status, expected] of Object.entries(failing)) {
      const id = hang(photos.png)
      const path = await shop.path(id)
      shop.pictures.set(id, {
        content_id: 'v',
        bytes: (response) => void response.writeHead(Number(status), { location: '/x' }).end('what it said'),
      })
      const reply = await shop.get(path)
      expect([reply.status, reply.headers['cache-control']], status).to.deep.equal([expected, 'no-store'])
      expect(reply.text).to.not.include('what it said')
    }
  })

  it('rejects a picture from a system that does not send its version', async () => {
    const id = hang(photos.png)
    const path = await shop.path(id)
    shop.pictures.set(id, { content_id: 'v', bytes: (response) => void response.writeHead(200).end(photos.png) })
    expect((await shop.get(path)).status).to.equal(502)
  })
})

describeWithAndWithoutMirror('GET /media of the embedded back office', (mirror) => {
  it('serves both its private and its public pictures', async () => {
    await using api = await startApi({ mirror })
    await api.fillMirror({ skus: [knownSkus.originals, knownSkus.inStock] })
    const key = await api.key()
    const { body } = await api.request(`/v1/products/${knownSkus.originals}`, { key })
    const sizes = []
    for (const { thumb_url, large_url } of body.media) {
      expect(thumb_url).to.match(new RegExp(`^${api.address}/media/acme/sandbox/`))
      const { width, height } = await sharp(
        (await sendHttpRequest(api.address, new URL(large_url).pathname)).bytes,
      ).metadata()
      sizes.push([width, height])
    }
    expect(sizes).to.deep.equal([
      [800, 600],
      [600, 800],
    ])
    const published = (await api.request(`/v1/products/${knownSkus.inStock}`, { key })).body.media
    expect(published[0].thumb_url).to.include(`${api.systems.inventory.address}/media/`)
  })
})

describe('GET /media, when things go wrong', () => {
  it('logs a picture that cannot be served once, without a stack, however often it is requested', async () => {
    const shop = await startApiWithPictures()
    shop.pictures.set('p1', { content_id: 'v1', bytes: Buffer.from('no picture') })
    const path = await shop.path('p1')
    for (const _ of [1, 2, 3]) expect((await shop.get(path)).status).to.equal(502)
    const logged = await shop.api.stopAndReadLog()
    expect(logged.match(/a picture could not be loaded/g)).to.have.lengthOf(1)
    expect(logged).to.not.include('request failed').and.not.include('"stack"')
    await shop[Symbol.asyncDispose]()
  })

  it('serves its stored pictures after a restart without the back office', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'forecourt-media-'))
    const settings = { dataDirectory: directory, store: `sqlite:${join(directory, 'kept.db')}` }
    const before = await startApiWithPictures(settings)
    before.pictures.set('p1', { content_id: 'v1', bytes: await jpeg() })
    const path = await before.path('p1')
    const { headers } = await before.get(path)
    await before[Symbol.asyncDispose]()
    const after = await startApiWithPictures(settings)
    await after.inventory.close()
    const again = await after.get(path)
    expect([again.status, again.headers.etag]).to.deep.equal([200, headers.etag])
    await after[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  it('serves pictures when its folder is not writable, and logs it', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'forecourt-media-'))
    await writeFile(join(directory, 'media'), 'in the way')
    const shop = await startApiWithPictures({ dataDirectory: directory })
    shop.pictures.set('p1', { content_id: 'v1', bytes: await jpeg() })
    const path = await shop.path('p1')
    for (const _ of [1, 2]) expect((await shop.get(path)).status).to.equal(200)
    expect(shop.countFetches('p1')).to.equal(2)
    expect(await shop.api.stopAndReadLog()).to.include('pictures cannot be stored on disk')
    await shop[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  it('stays within its disk limit', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'forecourt-media-'))
    const shop = await startApiWithPictures({ dataDirectory: directory, media: { maxBytes: 12 * 4_096, allow: [] } })
    for (let n = 0; n < 20; n += 1) {
      shop.pictures.set(`p${n}`, { content_id: 'v', bytes: await jpeg(200, 150, `rgb(0, 0, ${16 + n * 10})`) })
      expect((await shop.get(await shop.path(`p${n}`))).status).to.equal(200)
    }
    const held = async () =>
      (await readdir(join(directory, 'media'), { recursive: true })).filter((f) => /webp$/.test(f))
    await until('the folder holds no more than it may', async () => (await held()).length <= 12)
    await shop[Symbol.asyncDispose]()
    await rm(directory, { recursive: true, force: true })
  })

  it('does not call a system whose circuit is open, and serves stored pictures', async () => {
    const shop = await startApiWithPictures()
    for (const id of ['p1', 'p2']) shop.pictures.set(id, { content_id: 'v1', bytes: await jpeg() })
    const [had, missing] = [await shop.path('p1'), await shop.path('p2')]
    expect((await shop.get(had)).status).to.equal(200)
    const { script } = shop.inventory
    shop.inventory.script = (response) => void response.writeHead(500).end()
    const key = await shop.api.key({ merchant: 'shop', mode: 'live' })
    const ask = (n: number) => shop.get(`/v1/products/Q-${n}`, { headers: { authorization: `Bearer ${key}` } })
    let attempts = 0
    await until('the circuit is open', async () => (await ask(++attempts)).body.code === 'circuit_open')
    // An operator holds the circuit open, because it would soon be half-open.
    const held = { state: 'open' as const, untilMs: Date.now() + 3_600_000, by: 'ada', now: Date.now() }
    await addCircuitHold(shop.api.db, { merchant: 'shop', mode: 'live', circuit: 'inventory' }, held)
    await until('it is held', async () => Number((await ask(++attempts)).headers['retry-after']) > 60)
    shop.inventory.script = script
    const before = shop.inventory.requests.length
    const refused = await shop.get(missing)
    expect([refused.status, refused.body.code, refused.headers['cache-control']]).to.deep.equal([
      503,
      'circuit_open',
      'no-store',
    ])
    expect(Number(refused.headers['retry-after'])).to.be.at.least(1)
    expect(shop.inventory.requests.length).to.equal(before)
    expect((await shop.get(had)).status).to.equal(200)
    await shop[Symbol.asyncDispose]()
  })

  it('does not open the circuit of a system whose pictures fail', async () => {
    const shop = await startApiWithPictures()
    const good = await jpeg()
    for (let n = 0; n < 30; n += 1) {
      shop.pictures.set(`p${n}`, { content_id: 'v1', bytes: good })
      const path = await shop.path(`p${n}`)
      shop.pictures.set(`p${n}`, { content_id: 'v1', bytes: (response) => void response.writeHead(500).end() })
      expect((await shop.get(path)).status).to.equal(502)
    }
    shop.pictures.set('well', { content_id: 'v1', bytes: good })
    expect((await shop.get(await shop.path('well'))).status).to.equal(200)
    await shop[Symbol.asyncDispose]()
  })

  it('leaves capacity for other calls to a system with few concurrent calls', async () => {
    const shop = await startApiWithPictures({}, 2)
    const held: ServerResponse[] = []
    const requestScope = []
    for (const id of ['p1', 'p2', 'p3']) {
      shop.pictures.set(id, { content_id: 'v1', bytes: (response) => void held.push(response) })
      requestScope.push(shop.get(await shop.path(id)))
      await until('one is asked for', () => held.length > 0)
    }
    shop.pictures.set('p4', { content_id: 'v1', bytes: Buffer.alloc(0) })
    expect(await shop.path('p4')).to.include('/p4/')
    for (let at = 0; at < 3; at += 1) {
      await until('the next is asked for', () => held.length > at)
      held[at]!.writeHead(404).end('{"error":"not_found"}')
    }
    expect((await Promise.all(requestScope)).map(({ status }) => status)).to.deep.equal([404, 404, 404])
    await shop[Symbol.asyncDispose]()
  })

  it('returns URLs below public_url, where it is configured', async () => {
    const shop = await startApiWithPictures({ publicUrl: 'https://api.shop.example/parts' })
    shop.pictures.set('p1', { content_id: 'v1', bytes: await jpeg() })
    expect(await shop.path('p1')).to.match(/^\/parts\/media\/shop\/live\/p1\/v1-[\w-]{22}\/thumb\.webp$/)
    await shop[Symbol.asyncDispose]()
  })
})
