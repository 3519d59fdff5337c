import { expect } from 'chai'
import type { Adapter } from '../../src/ports/adapter.ts'
import { createUpstreamRegistry } from '../../src/upstream/upstream-registry.ts'
import { pictureUrls } from '../support/fake-picture-urls.ts'

describe('the upstream registry', () => {
  it('closes all systems at once, so that one that hangs does not delay the others', async () => {
    const ended: string[] = []
    const leaving: string[] = []
    let both = () => {}
    const bothLeave = new Promise<void>((resolve) => {
      both = resolve
    })
    const slow: Adapter = {
      name: 'slow',
      settings: {},
      ports: ['pricing'],
      connect(_, client, { merchant }) {
        client.onClose(async ({ signal }) => {
          leaving.push(merchant)
          if (leaving.length === 2) both()
          await bothLeave
          ended.push(`${merchant} ${signal.aborted ? 'too late' : 'in time'}`)
        })
        return { pricing: {} as never }
      },
    }
    const system = { adapter: 'slow', address: 'http://127.0.0.1:9', settings: {}, limits: {}, maxResponseBytes: 1_000 }
    const merchants = ['acme', 'zenith'].map((merchant) => ({
      merchant,
      name: merchant,
      currency: 'JMD',
      timeZone: 'UTC',
      bands: { low: 5, hysteresis: 2 },
      live: { pricing: system },
      sandbox: {},
    }))
    const upstreams = createUpstreamRegistry({
      merchants,
      adapters: { slow },
      cacheBytes: 1_000,
      pictureUrls: (_, picture) => pictureUrls(picture),
      embeddedSystemsFor: () => ({}),
    })
    await upstreams[Symbol.asyncDispose]()
    expect(ended).to.have.members(['acme in time', 'zenith in time'])
  })
})
