import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { createPictureLinkClient, type PictureLinkClient } from '../../src/media/picture-link-client.ts'
import { failureOf } from '../support/failure-of.ts'
import { hang, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { until } from '../support/until.ts'

function* mebibytes() {
  for (;;) yield Buffer.alloc(1_048_576)
}

const createSignal = () => new AbortController().signal

describe('the client for picture links', () => {
  let host: ScriptedUpstream
  let port: string
  let links: PictureLinkClient
  /** The addresses that every host name resolves to. */
  let addresses: string[]

  beforeEach(async () => {
    host = await startScriptedUpstream((response, { path }) => respond(response, path))
    port = new URL(host.address).port
    addresses = ['127.0.0.1']
    links = createPictureLinkClient({ allow: [`127.0.0.1:${port}`], version: '1', resolve: async () => addresses })
  })
  afterEach(async () => {
    await links[Symbol.asyncDispose]()
    await host.close()
  })

  function respond(response: ServerResponse, path: string): void {
    const [, status = '200', ...rest] = path.split('/')
    const to = rest.length > 0 ? { location: decodeURIComponent(rest.join('/')) } : {}
    if (status === 'long') {
      const endless = Readable.from(mebibytes())
      response.once('close', () => endless.destroy())
      endless.pipe(response.writeHead(200))
    } else if (status === 'claimed') response.writeHead(200, { 'content-length': 999_999_999 }).end('short')
    else response.writeHead(Number(status), to).end(`here is ${path}`)
  }
  const read = (path: string) => links.read(path.includes('://') ? path : host.address + path, createSignal())
  const to = (url: string) => `/302/${encodeURIComponent(url)}`

  it('downloads from allowed hosts, without credentials', async () => {
    expect(String(await read('/200'))).to.equal('here is /200')
    expect(host.requests[0]!.headers).to.include({ 'user-agent': 'Forecourt/1', 'accept-encoding': 'identity' })
    expect(host.requests[0]!.headers).to.not.have.any.keys('authorization', 'cookie', 'x-request-id')
  })

  it('never connects to a private address, however it is written or resolved', async () => {
    const refused = [
      `http://localhost:${port}/`,
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://169.254.169.254/latest/meta-data/',
      'http://printer/',
      'http://private.example/',
      'https://private.example/',
      `http://private.example:${port}/`,
      'http://user:secret@private.example/',
      'ftp://private.example/',
      'file:///etc/passwd',
    ]
    for (const url of refused) {
      const { failure, message } = await failureOf(read(url))
      expect(failure, url).to.equal('invalid')
      expect(message).to.not.include('secret')
    }
    expect(host.requests).to.deep.equal([])
    addresses = ['203.0.113.9', '10.0.0.7']
    expect((await failureOf(read('http://mixed.example/'))).failure).to.equal('invalid')
  })

  it('follows a few redirects, and checks each target', async () => {
    expect(String(await read(to('/200')))).to.equal('here is /200')
    const thrice = to(to(to('/200')))
    expect(String(await read(thrice))).to.equal('here is /200')
    expect((await failureOf(read(to(thrice)))).failure).to.equal('invalid')
    for (const place of [`http://localhost:${port}/200`, 'http://169.254.169.254/', 'file:///etc/passwd', '//'])
      expect((await failureOf(read(to(place)))).failure, place).to.equal('invalid')
    expect((await failureOf(read('/302'))).failure).to.equal('invalid')
  })

  it('rejects pictures that are too large, and error responses', async () => {
    expect((await failureOf(read('/long'))).message).to.include('more than')
    await until('the response was cut', () => host.aborted > 0)
    expect((await failureOf(read('/claimed'))).message).to.include('more than')
    for (const status of ['/404', '/500', '/204']) expect((await failureOf(read(status))).failure).to.equal('invalid')
  })

  it('rejects hosts without an address and unreachable hosts', async () => {
    addresses = []
    const unresolvable = await failureOf(read('http://unresolvable.example/a.jpg'))
    await host.close()
    const unreachable = await failureOf(read('/200'))
    for (const { failure, retryAfterMs } of [unresolvable, unreachable])
      expect([failure, retryAfterMs]).to.deep.equal(['invalid', 60_000])
    expect(unresolvable.message).to.include('unresolvable.example')
  })

  it('stops when the caller aborts', async () => {
    host.script = hang
    const controller = new AbortController()
    const reading = failureOf(links.read(`${host.address}/200`, controller.signal))
    await until('the request arrives', () => host.pending > 0)
    controller.abort()
    expect((await reading).failure).to.equal('timeout')
  })
})
