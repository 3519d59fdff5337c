import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openDatabase } from '../../src/storage/database.ts'
import { issueApiKey } from '../../src/storage/keys/api-keys.ts'
import { type RunningCommand, startCommand } from '../support/command.ts'
import { type ReceivedRequest, respondJson } from '../support/scripted-upstream.ts'
import { stores } from '../support/stores.ts'
import { untilTrue } from '../support/until.ts'
import { type AnySkuSystems, startAnySkuSystems } from './any-sku-systems.ts'
import { sendRequest } from './program-under-test.ts'

const postgres = stores().find(({ maxServers }) => maxServers > 1)
const CONCURRENCY = 3
const PER_MINUTE = 600
/** A twentieth of a minute's calls may be made at once, and a granted call up to a second later. */
const BURST = PER_MINUTE / 20
/** Half of the lease of an open circuit: a longer step says nothing. */
const STALL_MS = 1_000
const PER_SECOND = (PER_MINUTE - BURST) / 60

interface Server {
  name: string
  command: RunningCommand
  address: string
  metrics: string
}

const serverOf = ({ headers }: ReceivedRequest) => String(headers['x-request-id']).split('-')[0]

if (postgres)
  describe('two server processes on one PostgreSQL', () => {
    let folder: string
    let erp: AnySkuSystems
    let servers: Server[] = []
    let key: string
    let number = 0

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'two-servers-'))
      erp = await startAnySkuSystems()
      const store = await postgres.createMigrated()
      const db = await openDatabase(store)
      key = (await issueApiKey(db, { merchant: 'acme', kind: 'secret', mode: 'live', rate: 1_000_000 })).key
      await db.destroy()
      const limits = { inventory: `concurrency: ${CONCURRENCY}`, pricing: `per_minute: ${PER_MINUTE}`, accounting: '' }
      const systems = Object.entries(erp.addresses).map(
        ([system, address]) =>
          `${system}: { adapter: rest, address: "${address}", token: t, limits: { timeout_ms: 30000, ${limits[system as 'pricing']} } }`,
      )
      const config = [
        'listen: { port: 0 }',
        'operations: { enabled: false }',
        'metrics: { port: 0 }',
        'deadline_ms: 60000',
        `store: ${store}`,
        `webhooks: { key: ${Buffer.alloc(32, 7).toString('base64')} }`,
        'merchants:',
        '  acme:',
        '    name: Acme',
        '    currency: JMD',
        '    time_zone: America/Jamaica',
        '    mirror: off',
        '    live:',
        ...systems.map((line) => `      ${line}`),
      ]
      await writeFile(join(folder, 'forecourt.yaml'), config.join('\n'))
      const commands = ['one', 'two'].map((name) => {
        const env = { FORECOURT_DATA: join(folder, name) }
        return { name, command: startCommand(['serve', '--config', 'forecourt.yaml'], { cwd: folder, env }) }
      })
      servers = await Promise.all(
        commands.map(async ({ name, command }) => {
          const address = (await command.waitForOutput(/ready at (\S+) for acme/))[1]!
          const metrics = (await command.waitForOutput(/Metrics at (\S+)/))[1]!
          return { name, command, address, metrics }
        }),
      )
    })
    after(async () => {
      for (const { command } of servers) command.child.kill('SIGTERM')
      await Promise.all(servers.map(({ command }) => command.ended))
      await erp[Symbol.asyncDispose]()
      await postgres.close()
      await rm(folder, { recursive: true })
    })

    /** Reads a product that no cache has. */
    async function read({ name, address }: Server) {
      number += 1
      const headers = { 'x-request-id': `${name}-${number}` }
      const { status, body } = await sendRequest(`${address}/v1/products/S-${number}`, key, { headers })
      expect(status).to.equal(200)
      return body as { price: { amount: string } | null; errors: { field: string; code: string }[] }
    }
    const priceOf = async (server: Server) => {
      const { price, errors } = await read(server)
      return price?.amount ?? errors.find(({ field }) => field === 'price')!.code
    }
    /** Asked by no request, so that the server cannot find out by its own calls. */
    async function isOpen({ metrics }: Server): Promise<boolean> {
      const text = await (await fetch(`${metrics}/metrics`)).text()
      return /^forecourt_breaker_state\{.*circuit="pricing",state="open"\} 1$/m.test(text)
    }
    const pricingCallsOf = (name: string) => erp.systems.pricing.requests.filter((call) => serverOf(call) === name)

    it('share the limits of concurrent calls and of calls in a minute', async () => {
      const { inventory, pricing } = erp.systems
      const respond = inventory.script
      let mostAtOnce = 0
      inventory.script = (...call) => {
        mostAtOnce = Math.max(mostAtOnce, inventory.pending)
        setTimeout(() => respond(...call), 20)
      }
      let priceCalls = 0
      let lastCallAt = 0
      const respondPrice = pricing.script
      pricing.script = (...call) => {
        priceCalls += 1
        lastCallAt = performance.now()
        respondPrice(...call)
      }
      // Before the first call can be granted, so that a late arrival does not make the time look shorter than it was.
      const startedAt = performance.now()
      const readers = servers.flatMap((server) => Array.from({ length: 10 }, () => server))
      await Promise.all(
        readers.map(async (server) => {
          for (let product = 0; product < 8; product++) expect(await priceOf(server)).to.equal('10.00')
        }),
      )
      erp.restore('inventory')
      erp.restore('pricing')
      expect(mostAtOnce).to.equal(CONCURRENCY)
      expect(inventory.requests.map(serverOf)).to.include.members(['one', 'two'])
      const seconds = (lastCallAt - startedAt) / 1_000
      expect(priceCalls).to.be.within(BURST, BURST + PER_SECOND * (seconds + 1))
    })

    /**
     * Opens the circuit in the first server, and calls both until that one has probed twice. Returns false when a step took so long that it may
     * have lost its lease, after which the other one probes too.
     */
    async function openAndProbe(one: Server, two: Server): Promise<boolean> {
      const { pricing } = erp.systems
      let isStalled = false
      let steppedAt = Number.POSITIVE_INFINITY
      async function step<T>(work: Promise<T>): Promise<T> {
        const result = await work
        isStalled ||= performance.now() - steppedAt > STALL_MS
        steppedAt = performance.now()
        return result
      }
      pricing.requests.length = 0
      pricing.script = respondJson({}, 500)
      while ((await priceOf(one)) !== 'circuit_open');
      // A server without calls leaves probing to others.
      while (!(await step(isOpen(two))) && !isStalled) await step(priceOf(one))
      const code = await step(priceOf(two))
      if (isStalled) return false
      expect(code).to.equal('circuit_open')
      expect(pricingCallsOf('two')).to.deep.equal([])
      pricing.requests.length = 0
      while (pricingCallsOf('one').length < 2 && !isStalled) await step(Promise.all([priceOf(one), priceOf(two)]))
      if (isStalled) return false
      expect(pricingCallsOf('two')).to.deep.equal([])
      return true
    }

    it('share an open circuit, and only the one that opened it probes', async () => {
      const [one, two] = servers as [Server, Server]
      for (let hasProbed = false; !hasProbed; ) {
        hasProbed = await openAndProbe(one, two)
        erp.restore('pricing')
        await untilTrue(async () => (await priceOf(one)) === '10.00')
        await untilTrue(async () => (await priceOf(two)) === '10.00')
      }
    })
  })
