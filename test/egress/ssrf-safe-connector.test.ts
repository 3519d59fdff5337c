import { expect } from 'chai'
import { createDnsResolver } from '../../src/egress/dns-resolver.ts'
import { createWebhookSender } from '../../src/webhooks/sender.ts'
import { startSocketServer } from '../support/socket-server.ts'
import { createWebhookRequest } from '../webhooks/webhook-request-fixture.ts'
import { type DnsRecord, type DnsZone, type NameServer, startNameServer } from './name-server.ts'

/** Public by its number, but given to nobody. */
const NOWHERE: DnsRecord = ['AAAA', '2c0f:ffff:ffff:ffff::1']
const INSIDE: DnsRecord = ['A', '127.0.0.1']

const zone: DnsZone = {
  'loopback.test': [INSIDE],
  'unspecified.test': [['A', '0.0.0.0']],
  'metadata.test': [['A', '169.254.169.254']],
  'private.test': [['A', '10.0.0.1']],
  'shared.test': [['A', '100.64.0.1']],
  'both.test': [['A', '93.184.216.34'], INSIDE],
  'families.test': [NOWHERE, INSIDE],
  'mapped.test': [['AAAA', '::ffff:127.0.0.1']],
  'compatible.test': [['AAAA', '::127.0.0.1']],
  'nat64.test': [['AAAA', '64:ff9b::7f00:1']],
  'tunnel.test': [['AAAA', '2002:7f00:1::1']],
  'six.test': [['AAAA', '::1']],
  'alias.test': [['CNAME', 'inside.test'], INSIDE],
  'empty.test': [],
  'mute.test': null,
  'rebinding.test': (asked) => (asked === 1 ? [NOWHERE] : [INSIDE, ['AAAA', '::1']]),
}

describe('connecting to an endpoint', () => {
  let stack: AsyncDisposableStack
  let names: NameServer
  let listener: Awaited<ReturnType<typeof startSocketServer>>
  let attempt: (hostname: string, patience?: { tryMs?: number; totalMs?: number }) => Promise<string | null>

  beforeEach(async () => {
    stack = new AsyncDisposableStack()
    names = stack.use(await startNameServer(zone))
    listener = stack.use(await startSocketServer((socket) => socket.destroy()))
    const { port } = listener
    attempt = async (hostname, { tryMs = 30_000, totalMs = 60_000 } = {}) => {
      using resolving = createDnsResolver({ servers: [names.server], tryMs })
      const { resolve } = resolving
      await using sender = createWebhookSender({ rules: { ports: [port], allow: [] }, now: Date.now, resolve })
      const { responseStatus, error } = await sender.send(createWebhookRequest(`https://${hostname}:${port}/`), {
        totalMs,
      })
      expect(responseStatus).to.equal(null)
      return error
    }
  })
  afterEach(() => stack.disposeAsync())

  const refused = Object.keys(zone).filter((name) => !/^(?:empty|mute|rebinding)/.test(name))
  for (const name of refused) {
    it(`refuses ${name}`, async () => {
      expect(await attempt(name)).to.equal('url_not_allowed')
      expect(names.questions).to.have.members([`A ${name}`, `AAAA ${name}`])
      expect(listener.connections()).to.equal(0)
    })
  }

  it('refuses a name that does not exist, has no address, or whose name server does not respond', async () => {
    expect(await attempt('missing.test')).to.equal('dns')
    expect(await attempt('empty.test')).to.equal('dns')
    expect(await attempt('mute.test', { tryMs: 100 })).to.equal('dns')
  })

  it('resolves once per connection, and connects to the address that was checked', async () => {
    // Nothing listens at the first address; the error depends on the machine's network.
    expect(await attempt('rebinding.test', { totalMs: 10_000 })).to.be.oneOf(['refused', 'timeout', 'reset'])
    expect(names.questions).to.have.members(['A rebinding.test', 'AAAA rebinding.test'])
    expect(await attempt('rebinding.test')).to.equal('url_not_allowed')
    expect(names.questions).to.have.lengthOf(4)
    expect(listener.connections()).to.equal(0)
  })

  it('refuses an IP address before any DNS query', async () => {
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '127.0.0.1.', 'localhost'])
      expect(await attempt(host), host).to.equal('url_not_allowed')
    expect(names.questions).to.deep.equal([])
    expect(listener.connections()).to.equal(0)
  })

  it('allows a private name on the allowlist, on its port only', async () => {
    const { port } = listener
    const rules = { ports: [443], allow: [`localhost:${port}`] }
    await using sender = createWebhookSender({
      rules,
      now: Date.now,
      resolve: () => Promise.reject(new Error('not asked')),
    })
    expect((await sender.send(createWebhookRequest(`http://localhost:${port}/`))).error).to.equal('reset')
    expect((await sender.send(createWebhookRequest(`http://localhost:${port + 1}/`))).error).to.equal('url_not_allowed')
    expect((await sender.send(createWebhookRequest(`http://127.0.0.1:${port}/`))).error).to.equal('url_not_allowed')
    expect(listener.connections()).to.equal(1)
  })
})
