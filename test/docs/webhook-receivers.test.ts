import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  computeServiceSignature,
  computeStandardSignature,
  createSignatureHeaders,
} from '../../src/webhooks/signature-headers.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/until.ts'
import { PREVIOUS_SECRET, SECRET } from '../webhooks/webhook-request-fixture.ts'

const docs = join(import.meta.dirname, '../../docs')
const event = { id: 'evt_1', type: 'order.confirmed', resource: { type: 'order', id: 'ord_1' }, sequence: 1, data: {} }
const body = Buffer.from(JSON.stringify({ ...event, data: { note: 'größer' } }, null, 1))
const nowSeconds = () => Math.floor(Date.now() / 1_000)

interface Delivery {
  body?: Buffer
  signed?: Buffer
  secrets?: readonly [string] | readonly [string, string]
  timestamp?: number
  headers?: Record<string, string>
}

const interpreters: Record<string, (port: number) => string[]> = {
  node: () => [process.execPath, join(docs, 'receivers/receiver.mjs')],
  python3: () => ['python3', join(docs, 'receivers/receiver.py')],
  php: (port) => ['php', '-S', `127.0.0.1:${port}`, join(docs, 'receivers/receiver.php')],
}

/** CI must have all of these interpreters. */
function isPresent(interpreter: string): boolean {
  if (process.env.CI || spawnSync(interpreter, ['--version']).status === 0) return true
  process.stderr.write(`Left out: the receiver for ${interpreter}, which is not on this machine.\n`)
  return false
}

interface Receiver {
  port: number
  said(): string
  /** The exit code; `null` while the receiver runs. */
  exitCode(): number | null
  kill(): void
}

/** Starts a receiver. Resolves when it listens or has exited. */
async function startReceiver(interpreter: string, environment: Record<string, string | undefined>): Promise<Receiver> {
  const port = await freePort()
  const [program, ...args] = interpreters[interpreter]!(port) as [string, ...string[]]
  const env = { ...process.env, PORT: String(port), ...environment }
  const running: ChildProcess = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [running.stdout!, running.stderr!]) stream.on('data', (chunk) => (said += chunk))
  let exited = false
  running.once('close', () => (exited = true))
  const missing = once(running, 'error').then(([error]) => Promise.reject(error))
  await Promise.race([missing, until('it listens', async () => exited || (await listens(port)))])
  const exitCode = () => running.exitCode
  return { port, said: () => said, exitCode, kill: () => running.kill('SIGKILL') }
}

async function deliverTo(port: number, delivery: Delivery = {}): Promise<number> {
  const { secrets = [SECRET], timestamp = nowSeconds(), signed = body } = delivery
  const proof = createSignatureHeaders({ eventId: 'evt_1', body: signed, secrets }, timestamp)
  const headers = { 'content-type': 'application/json', ...proof, ...delivery.headers }
  const { status } = await fetch(`http://127.0.0.1:${port}/hook`, {
    method: 'POST',
    headers,
    body: delivery.body ?? signed,
  })
  return status
}

/** Sends raw bytes and returns the response, read until the receiver closes. */
async function answerTo(port: number, request: string, { leave }: { leave: boolean }): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk))
  socket.on('end', () => socket.end())
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  if (leave) socket.end(request)
  else socket.write(request)
  await closed
  return answer
}

const requestOf = (length: string, begun = '') =>
  `POST /hook HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${begun}`

for (const interpreter of Object.keys(interpreters)) {
  if (!isPresent(interpreter)) continue
  describe(`the receiver for ${interpreter}`, () => {
    let receiver: Receiver
    let directory: string
    const started: Receiver[] = []

    async function start(environment: Record<string, string | undefined>): Promise<Receiver> {
      const one = await startReceiver(interpreter, environment)
      started.push(one)
      return one
    }
    const deliver = (delivery?: Delivery) => deliverTo(receiver.port, delivery)

    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'forecourt-receiver-'))
      receiver = await start({ WEBHOOK_SECRET: SECRET, WEBHOOK_SEEN: join(directory, 'not/there/yet') })
    })
    after(async () => {
      for (const one of started) one.kill()
      await rm(directory, { recursive: true, force: true })
    })

    it('accepts a genuine delivery, and only once', async () => {
      expect(await deliver()).to.equal(204)
      expect(await deliver()).to.equal(204)
      const other = Buffer.from(JSON.stringify({ ...event, id: 'evt_2', sequence: 2 }))
      expect(await deliver({ signed: other })).to.equal(204)
      const taken = () => [...receiver.said().matchAll(/order\.confirmed ord_1 (#\d+)/g)].map(([, number]) => number)
      // The response arrives before the printed output.
      await until('it has printed the second', () => taken().includes('#2'))
      expect(taken()).to.deep.equal(['#1', '#2'])
    })

    it('accepts a delivery that the old or the new secret signs during a rotation', async () => {
      expect(await deliver({ secrets: [PREVIOUS_SECRET, SECRET] })).to.equal(204)
      expect(await deliver({ secrets: [SECRET, PREVIOUS_SECRET] })).to.equal(204)
      expect(await deliver({ secrets: [PREVIOUS_SECRET] })).to.equal(400)
    })

    it('rejects a delivery that was changed or reserialized', async () => {
      const tampered = Buffer.from(body.toString().replace('ord_1', 'ord_2'))
      expect(await deliver({ body: tampered })).to.equal(400)
      expect(await deliver({ body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))) })).to.equal(400)
      expect(await deliver({ headers: { 'webhook-id': 'evt_9' } })).to.equal(400)
      expect(await deliver({ headers: { 'webhook-signature': '' } })).to.equal(400)
      expect(await deliver({ headers: { 'webhook-signature': `v1, v2,${'A'.repeat(44)} x` } })).to.equal(400)
      const hex = computeServiceSignature(SECRET, body)
      expect(await deliver({ headers: { 'webhook-signature': hex } })).to.equal(400)
    })

    it('rejects a delivery that is too old, from the future, or without a timestamp', async () => {
      expect(await deliver({ timestamp: nowSeconds() - 301 })).to.equal(400)
      expect(await deliver({ timestamp: nowSeconds() + 400 })).to.equal(400)
      expect(await deliver({ timestamp: nowSeconds() - 240 })).to.equal(204)
      for (const timestamp of ['', 'soon', 'NaN', '²', '-1', '9'.repeat(5_000)]) {
        const signature = computeStandardSignature(SECRET, 'evt_1', timestamp as unknown as number, body)
        const headers = { 'webhook-timestamp': timestamp, 'webhook-signature': signature }
        expect(await deliver({ headers }), timestamp).to.equal(400)
      }
    })

    it('rejects a signed body that is not an event', async () => {
      for (const text of ['', 'null', '7', '{'])
        expect(await deliver({ signed: Buffer.from(text) }), text).to.equal(400)
    })

    it('survives a sender that disconnects midway', async () => {
      expect(await answerTo(receiver.port, requestOf('100', '{"id":'), { leave: true })).to.match(
        /^$|^HTTP\/1\.[01] 400 /,
      )
      const socket = createConnection(receiver.port, '127.0.0.1')
      await once(socket, 'connect')
      await new Promise((written) => socket.write(requestOf('100', '{"id":'), written))
      socket.resetAndDestroy()
      expect(await answerTo(receiver.port, requestOf('100'), { leave: true })).to.match(/^$|^HTTP\/1\.[01] 400 /)
      expect(await deliver()).to.equal(204)
      expect(receiver.exitCode()).to.equal(null)
    })

    it('rejects an invalid content length, and one that is too large', async () => {
      const refusal = interpreter === 'php' ? /^$|^HTTP\/1\.[01] 400 / : /^HTTP\/1\.[01] 4(00|13) /
      for (const length of ['abc', '-1', '²', '9'.repeat(5_000), '1048577']) {
        // PHP's own server reads a body to its end before it calls the script.
        const leave = interpreter === 'php'
        expect(await answerTo(receiver.port, requestOf(length), { leave }), length).to.match(refusal)
      }
      expect(await deliver()).to.equal(204)
    })

    it('rejects everything without a secret, and says so', async () => {
      const bare = SECRET.slice('whsec_'.length)
      for (const secret of [undefined, '', 'whsec_', 'whsec_!!!!', bare]) {
        const one = await start({ WEBHOOK_SECRET: secret, WEBHOOK_SEEN: directory })
        if (interpreter === 'php') expect(await deliverTo(one.port, { secrets: [secret ?? ''] }), secret).to.equal(500)
        else expect(one.exitCode(), secret).to.equal(1)
        await until('it says so', () => one.said().includes('WEBHOOK_SECRET must be'))
      }
    })

    if (interpreter !== 'php') return
    it('rejects what it cannot store, and says so', async () => {
      const file = join(directory, 'file')
      const taken = join(directory, 'taken')
      await writeFile(file, '')
      await mkdir(join(taken, 'evt_1'), { recursive: true })
      for (const folder of [undefined, '', file, join(file, 'folder'), taken]) {
        const one = await start({ WEBHOOK_SECRET: SECRET, WEBHOOK_SEEN: folder })
        expect(await deliverTo(one.port), folder).to.equal(500)
        await until('it says so', () => one.said().includes('WEBHOOK_SEEN'))
      }
    })
  })
}

async function listens(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
