import { connect } from 'node:net'
import { expect } from 'chai'
import { knownSkus } from '../../fixtures/known-skus.ts'
import type { RunningSystem } from '../../src/sandbox/start-system.ts'
import { sendRequest } from './send-request.ts'
import { createTempFolder } from './temp-folder.ts'
import { startTestSystem } from './test-system.ts'

describe('the sandbox: invalid requests', () => {
  let inventory: RunningSystem
  let folder: Awaited<ReturnType<typeof createTempFolder>>

  before(async () => {
    folder = await createTempFolder()
    inventory = await startTestSystem({ system: 'inventory', directory: folder.directory, token: 'letmein' })
  })

  after(async () => {
    await inventory.stop()
    await folder.remove()
  })

  const token = 'letmein'

  it('requires its token', async () => {
    const wrong = { error: 'unauthorized', detail: 'the token is missing or wrong' }
    for (const guess of ['', 'letmei', 'letmeinn', 'sandbox']) {
      const { status, body } = await sendRequest(inventory, '/health', { token: guess })
      expect([status, body]).to.deep.equal([401, wrong])
    }
    expect((await sendRequest(inventory, '/health', { token })).body).to.deep.equal({ status: 'ok' })
  })

  it('says to a caller of the API that it is not the API', async () => {
    const detail =
      'this is the embedded inventory system, not the API: send the request to the address and port of the API'
    for (const { account, guess } of [
      { account: 'v1', guess: 'letmei' },
      { account: 'v1', guess: '' },
      { account: 'demo', guess: 'svc_test_pub_wrong' },
    ]) {
      const { status, body } = await sendRequest(inventory, '/products', { token: guess, account })
      expect([status, body]).to.deep.equal([401, { error: 'unauthorized', detail }])
    }
  })

  it('rejects unknown accounts, paths and methods', async () => {
    expect((await sendRequest(inventory, '/health', { token, account: 'other' })).body).to.deep.equal({
      error: 'no_account',
      detail: 'the account does not exist',
    })
    const { status, body } = await sendRequest(inventory, '/nothing', { token })
    expect([status, (body as { error: string }).error]).to.deep.equal([404, 'not_offered'])
    expect((await sendRequest(inventory, '/products', { token, method: 'DELETE' })).status).to.equal(405)
    expect((await sendRequest(inventory, '/products/%zz/fitments', { token })).status).to.equal(400)
    expect((await sendRequest(inventory, '/constructor', { token })).status).to.equal(404)
  })

  it('rejects invalid JSON bodies', async () => {
    const lookup = (body: unknown) => sendRequest(inventory, '/products/lookup', { token, body })
    expect((await lookup('{"skus":')).body).to.deep.equal({ error: 'bad_request', detail: 'body: not valid JSON' })
    const many = Array.from({ length: 201 }, (_, i) => `S${i}`)
    for (const body of [
      [],
      null,
      {},
      { skus: [], include: ['stock'] },
      { skus: many, include: ['stock'] },
      { skus: [1], include: ['stock'] },
    ]) {
      expect((await lookup(JSON.stringify(body))).status, JSON.stringify(body).slice(0, 50)).to.equal(400)
    }
    expect((await lookup(JSON.stringify({ skus: ['a'], include: ['price'] }))).status).to.equal(400)
  })

  it('rejects bodies above 1 MiB, with and without a content length', async () => {
    const announced = await sendRequest(inventory, '/products/lookup', { token, body: ' '.repeat(1_048_577) })
    expect([announced.status, announced.body]).to.deep.equal([
      413,
      { error: 'too_large', detail: 'body: larger than 1 MiB' },
    ])
    const chunk = `${'10000'}\r\n${' '.repeat(0x10000)}\r\n`
    const answer = await sendRaw(
      inventory.port,
      `POST /demo/products/lookup HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(18)}`,
    )
    expect(answer).to.match(/^HTTP\/1\.1 413 /)
  })

  it('responds with 400 to anything but HTTP', async () => {
    expect(await sendRaw(inventory.port, 'HELLO\r\n\r\n')).to.match(/^HTTP\/1\.1 400 /)
  })

  it('serves public, immutable pictures', async () => {
    const url = `${inventory.address}/media/disc-1-thumb.webp`
    const response = await fetch(url)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 12)]).to.deep.equal(['RIFF', 'WEBP'])
    expect(response.headers.get('content-type')).to.equal('image/webp')
    expect(response.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable')
    const etag = response.headers.get('etag')!
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).to.deep.equal([304, '', etag])
    for (const file of ['nope.webp', '..%2Fgenerate-pictures.ts', '%2e%2e%2f%2e%2e%2fpackage.json']) {
      expect((await fetch(`${inventory.address}/media/${file}`)).status, file).to.equal(404)
    }
  })

  it('serves originals only with the token, with their content_id as the ETag', async () => {
    const asked = { skus: [knownSkus.originals, 'BP-1001'], include: ['product'] }
    const { body } = await sendRequest(inventory, '/products/lookup', { body: asked, token })
    const [kept, published] = body.data.map(({ product }: { product: { media: object[] } }) => product.media)
    const url = (id: string) => `${inventory.address}/demo/media/${id}/content`
    const headers = { authorization: `Bearer ${token}` }
    const starts = []
    for (const { media_id, content_id } of kept) {
      expect((await fetch(url(media_id))).status).to.equal(401)
      const response = await fetch(url(media_id), { headers })
      expect(response.headers.get('etag')).to.equal(`"${content_id}"`)
      const bytes = Buffer.from(await response.arrayBuffer())
      starts.push([response.headers.get('content-type'), bytes.toString('latin1', 0, 4)])
    }
    expect(starts).to.deep.equal([
      ['image/jpeg', '\xff\xd8\xff\xdb'],
      ['image/png', '\x89PNG'],
    ])
    for (const id of [published[0].media_id, 'nope', '..%2F..%2Fsecret'])
      expect((await fetch(url(id), { headers })).status).to.equal(404)
  })
})

/** Sends raw bytes and returns the response until the connection closes. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
    socket.write(bytes)
  })
}
