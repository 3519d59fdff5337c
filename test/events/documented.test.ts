import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { DELAYS_MS } from '../../src/events/schedule.ts'
import { serviceSignature, signatureHeaders, standardSignature } from '../../src/events/signature.ts'
import { until } from '../support/until.ts'
import { OLD_SECRET, SECRET } from './parcels.ts'

const docs = join(import.meta.dirname, '../../docs')
const page = await readFile(join(docs, 'webhooks.md'), 'utf8')
const printed = (name: string) => new RegExp(`^${name} +(.+)$`, 'm').exec(page)![1]!

describe('the page for receivers', () => {
  it('prints a vector that holds', () => {
    const body = Buffer.from(printed('body'))
    const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
    expect(printed('secret')).to.equal(secret)
    const timestamp = Number(printed('webhook-timestamp'))
    expect(signatureHeaders({ eventId: printed('webhook-id'), body, secrets: [secret] }, timestamp)).to.deep.equal({
      'X-Service-Signature': printed('X-Service-Signature'),
      'webhook-id': 'evt_0000000000000000000001',
      'webhook-timestamp': '1767225600',
      'webhook-signature': printed('webhook-signature'),
    })
    expect(printed('X-Service-Signature')).to.equal(
      'sha256=897c74e9992945febcc2d69b23a21039da8ee18e23bbd448a754997128b6c97c',
    )
    expect(printed('webhook-signature')).to.equal('v1,sZzmKRnTvPE9JLpPE6RIEAHlSkdMkkBPwx8iTgbrFNA=')
  })

  it('shows the envelope that the vector signs', () => {
    const shown = /## What arrives\n\n```json\n([\s\S]+?)```/.exec(page)![1]!
    expect(JSON.stringify(JSON.parse(shown))).to.equal(printed('body'))
  })

  it('tells the schedule that is kept', () => {
    const said = /at once, then after ([^;]+?), each/.exec(page)![1]!.split(/, | and /)
    const unit = { s: 1_000, min: 60_000, h: 3_600_000 }
    const told = said.map((delay) => Number.parseInt(delay, 10) * unit[delay.split(' ')[1] as keyof typeof unit])
    expect([0, ...told]).to.deep.equal(DELAYS_MS)
  })
})

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

/** In CI all of them must be there. */
function isPresent(interpreter: string): boolean {
  if (process.env.CI || spawnSync(interpreter, ['--version']).status === 0) return true
  process.stderr.write(`Left out: the receiver for ${interpreter}, which is not on this machine.\n`)
  return false
}

for (const [interpreter, command] of Object.entries(interpreters)) {
  if (!isPresent(interpreter)) continue
  describe(`the receiver for ${interpreter}`, () => {
    let running: ChildProcess
    let directory: string
    let url: string
    let said = ''

    before(async () => {
      const port = await freePort()
      const [program, ...args] = command(port) as [string, ...string[]]
      directory = await mkdtemp(join(tmpdir(), 'forecourt-receiver-'))
      const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: SECRET, WEBHOOK_SEEN: directory }
      running = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      for (const stream of [running.stdout!, running.stderr!]) stream.on('data', (chunk) => (said += chunk))
      const missing = once(running, 'error').then(([error]) => Promise.reject(error))
      await Promise.race([missing, until('it listens', () => listens(port))])
      url = `http://127.0.0.1:${port}/hook`
    })
    after(async () => {
      running?.kill('SIGKILL')
      await rm(directory, { recursive: true, force: true })
    })

    async function deliver(delivery: Delivery = {}): Promise<number> {
      const { secrets = [SECRET], timestamp = nowSeconds(), signed = body } = delivery
      const proof = signatureHeaders({ eventId: 'evt_1', body: signed, secrets }, timestamp)
      const headers = { 'content-type': 'application/json', ...proof, ...delivery.headers }
      const { status } = await fetch(url, { method: 'POST', headers, body: delivery.body ?? signed })
      return status
    }

    it('takes a delivery that is genuine, and only once', async () => {
      expect(await deliver()).to.equal(204)
      expect(await deliver()).to.equal(204)
      const other = Buffer.from(JSON.stringify({ ...event, id: 'evt_2', sequence: 2 }))
      expect(await deliver({ signed: other })).to.equal(204)
      const lines = said.split('\n').filter((line) => line.includes('order.confirmed ord_1 #'))
      expect(lines.map((line) => /#\d+/.exec(line)![0])).to.deep.equal(['#1', '#2'])
    })

    it('takes one that the old or the new secret signs, in a rotation', async () => {
      expect(await deliver({ secrets: [OLD_SECRET, SECRET] })).to.equal(204)
      expect(await deliver({ secrets: [SECRET, OLD_SECRET] })).to.equal(204)
      expect(await deliver({ secrets: [OLD_SECRET] })).to.equal(400)
    })

    it('refuses one that was tampered with, or written again', async () => {
      const tampered = Buffer.from(body.toString().replace('ord_1', 'ord_2'))
      expect(await deliver({ body: tampered })).to.equal(400)
      expect(await deliver({ body: Buffer.from(JSON.stringify(JSON.parse(body.toString()))) })).to.equal(400)
      expect(await deliver({ headers: { 'webhook-id': 'evt_9' } })).to.equal(400)
      expect(await deliver({ headers: { 'webhook-signature': '' } })).to.equal(400)
      expect(await deliver({ headers: { 'webhook-signature': `v1, v2,${'A'.repeat(44)} x` } })).to.equal(400)
      const hex = serviceSignature(SECRET, body)
      expect(await deliver({ headers: { 'webhook-signature': hex } })).to.equal(400)
    })

    it('refuses one that is old, from the future, or without a time', async () => {
      expect(await deliver({ timestamp: nowSeconds() - 301 })).to.equal(400)
      expect(await deliver({ timestamp: nowSeconds() + 310 })).to.equal(400)
      expect(await deliver({ timestamp: nowSeconds() - 280 })).to.equal(204)
      for (const timestamp of ['', 'soon', 'NaN']) {
        const signature = standardSignature(SECRET, 'evt_1', timestamp as unknown as number, body)
        const headers = { 'webhook-timestamp': timestamp, 'webhook-signature': signature }
        expect(await deliver({ headers }), timestamp).to.equal(400)
      }
    })
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
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
