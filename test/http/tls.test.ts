import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, type RequestOptions, request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { expect } from 'chai'
import { ConfigError } from '../../src/config/config-error.ts'
import { type ClientAddresses, createClientAddresses } from '../../src/http/access/client-addresses.ts'
import { type HttpServer, startHttpServer } from '../../src/http/server/server.ts'
import { loadTlsCertificate, type TlsCertificate } from '../../src/http/server/tls-certificate.ts'
import { certificates } from '../webhooks/tls-certificates.ts'

const { localhost, elsewhere, weakKey, weakSignature } = certificates

describe('a server with TLS', () => {
  let directory: string
  let files: { cert: string; key: string }
  let logged: [level: string, fields: object, message: string][]
  let tls: TlsCertificate
  let clients: ClientAddresses
  let server: HttpServer

  const install = async ({ cert, key }: { cert: string; key: string }) => {
    await writeFile(files.cert, cert)
    await writeFile(files.key, key)
  }

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'forecourt-tls-'))
    files = { cert: join(directory, 'api.pem'), key: join(directory, 'api.key') }
    await install(localhost)
    logged = []
    const log = (level: string) => (fields: object, message: string) => void logged.push([level, fields, message])
    tls = loadTlsCertificate({
      files,
      logger: { info: log('info'), warn: log('warn'), error: log('error') },
      intervalMs: null,
    })
    clients = createClientAddresses({ trustedProxies: [] })
    server = await startHttpServer(
      (req, res) => res.end(JSON.stringify([clients.of(req), clients.isSecure(req)])),
      { host: '127.0.0.1', port: 0, tls, onConnection: clients.remember },
      { drainTimeoutMs: 1_000 },
    )
  })
  afterEach(async () => {
    await server[Symbol.asyncDispose]()
    await tls[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  })

  interface Seen {
    text: string
    /** The certificate of the server, as in its file. */
    certificate: string
    protocol: string | null
    isReused: boolean
  }

  const exchange = (options: RequestOptions = {}) =>
    new Promise<Seen>((resolve, reject) => {
      const outgoing = request(
        { host: '127.0.0.1', port: server.port, rejectUnauthorized: false, agent: false, ...options },
        (response) => {
          const socket = response.socket as TLSSocket
          const raw = socket.getPeerX509Certificate()!.toString()
          const seen = { certificate: raw, protocol: socket.getProtocol(), isReused: outgoing.reusedSocket }
          let text = ''
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => resolve({ text, ...seen }))
        },
      )
      outgoing.on('error', reject).end()
    })

  it('knows its clients, and that their connection is encrypted', async () => {
    expect(server.address).to.match(/^https:/)
    const { text } = await exchange({ localAddress: '127.0.0.9' })
    expect(text).to.equal('["127.0.0.9",true]')
  })

  it('speaks TLS 1.2 and later', async () => {
    expect((await exchange()).protocol).to.equal('TLSv1.3')
    expect((await exchange({ maxVersion: 'TLSv1.2' })).protocol).to.equal('TLSv1.2')
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const refused = await exchange(old).catch((error: NodeJS.ErrnoException) => error.code)
    expect(refused).to.match(/^E(RR_SSL|CONNRESET|PROTO)/)
  })

  it('serves a new certificate to new connections, and leaves open ones alone', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect((await exchange({ agent })).certificate).to.equal(localhost.cert)
    await install(elsewhere)
    await tls.reload()
    expect((await exchange()).certificate).to.equal(elsewhere.cert)
    expect(await exchange({ agent })).to.include({ certificate: localhost.cert, isReused: true })
    expect((await exchange({ maxVersion: 'TLSv1.2' })).protocol).to.equal('TLSv1.2')
    expect(logged.map(([level, , message]) => [level, message])).to.deep.equal([
      ['info', 'the TLS certificate was replaced'],
    ])
    agent.destroy()
  })

  it('refuses a new pair that cannot be used, says so once, and keeps the old one', async () => {
    for (const broken of [
      { cert: elsewhere.cert, key: localhost.key },
      { cert: 'nothing', key: elsewhere.key },
      { cert: elsewhere.cert, key: '' },
    ]) {
      logged.length = 0
      await install(broken)
      for (let n = 0; n < 3; n++) await tls.reload()
      expect(logged.map(([level, , message]) => [level, message])).to.deep.equal([
        ['error', 'the new TLS certificate cannot be used; the previous one stays'],
      ])
      expect((await exchange()).certificate).to.equal(localhost.cert)
    }
    await rm(files.key)
    await tls.reload()
    expect(JSON.stringify(logged.at(-1)![1])).to.include('ENOENT')
    await install(elsewhere)
    await tls.reload()
    expect((await exchange()).certificate).to.equal(elsewhere.cert)
  })

  it('survives clients that do not speak TLS', async () => {
    for (const text of ['GET / HTTP/1.1\r\nHost: api\r\n\r\n', '\x16\x03\x01\x00\x05hello', '']) {
      await new Promise((resolve) => {
        const socket = connect(server.port, '127.0.0.1', () => (text === '' ? socket.end() : socket.write(text)))
        socket
          .on('error', () => {})
          .on('close', resolve)
          .resume()
      })
    }
    expect((await exchange()).certificate).to.equal(localhost.cert)
  })

  it('warns of a certificate that has expired', () => {
    const warnings: string[] = []
    const logger = { info() {}, warn: (_: object, message: string) => void warnings.push(message), error() {} }
    loadTlsCertificate({ files, logger, intervalMs: null, now: () => Date.parse('2200-01-01') })
    expect(warnings).to.deep.equal(['the TLS certificate expired on 2126-10-28T08:10:53.000Z'])
  })

  it('warns of a certificate with a weak signature', async () => {
    const warnings: string[] = []
    const logger = { info() {}, warn: (_: object, message: string) => void warnings.push(message), error() {} }
    await install(weakSignature)
    loadTlsCertificate({ files, logger, intervalMs: null })
    expect(warnings).to.deep.equal(['the TLS certificate has a weak signature (sha1WithRSAEncryption)'])
  })

  it('does not start with files that cannot be used, and names them', async () => {
    const mistakesOf = (wrong: { cert: string; key: string }) => {
      try {
        loadTlsCertificate({ files: wrong, logger: { info() {}, warn() {}, error() {} }, intervalMs: null })
        return []
      } catch (error) {
        return (error as ConfigError).mistakes.map(({ path, mistake }) => `${path}: ${mistake}`)
      }
    }
    const absent = join(directory, 'absent')
    expect(mistakesOf({ cert: absent, key: absent })).to.deep.equal([
      `listen.tls.cert: ${absent} cannot be read (ENOENT)`,
      `listen.tls.key: ${absent} cannot be read (ENOENT)`,
    ])
    expect(mistakesOf({ cert: files.key, key: files.cert })).to.deep.equal([
      `listen.tls.cert: ${files.key} is not a certificate in PEM`,
      `listen.tls.key: ${files.cert} is not a private key in PEM without a passphrase`,
    ])
    await writeFile(files.key, elsewhere.key)
    expect(mistakesOf(files)).to.deep.equal([`listen.tls.key: ${files.key} does not belong to ${files.cert}`])
    expect(() => loadTlsCertificate({ files, logger: { info() {}, warn() {}, error() {} } })).to.throw(ConfigError)
    await install(weakKey)
    expect(mistakesOf(files)).to.deep.equal([
      `listen.tls.cert: ${files.cert} has a key that is too weak for TLS: rsa, 1024 bits`,
    ])
    await install({ cert: localhost.cert + weakKey.cert, key: localhost.key })
    expect(mistakesOf(files)).to.deep.equal([
      `listen.tls.cert: ${files.cert} has a certificate in its chain whose key is too weak for TLS`,
    ])
    await install({ cert: localhost.cert + localhost.cert.replace('MIIB', 'MIIC'), key: localhost.key })
    expect(mistakesOf(files)[0]).to.match(/^listen\.tls\.cert: .* cannot be used for TLS: [a-z ]+$/)
  })
})
