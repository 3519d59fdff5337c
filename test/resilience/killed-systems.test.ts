import { rm } from 'node:fs/promises'
import { expect } from 'chai'
import { type System, systems } from '../../src/ports/system.ts'
import { forkSystem, type SystemProcess } from '../../src/sandbox/fork-system.ts'
import { untilTrue } from '../support/scripted-upstream.ts'
import { type ApiResponse, findVehicleId, type ProgramUnderTest, startProgram } from './program-under-test.ts'
import { createSeededFolder, systemAddresses } from './sandbox-systems.ts'

const account = 'acme-live'
/** After that long nothing of a system is served without asking it, and yet its last good values still are when it fails. */
const WHILES: Record<System, number> = { inventory: 400_000, pricing: 400_000, accounting: 1_000_000 }
/** After that long a system is asked for something again. */
const SHORTER: Record<System, number> = { inventory: 100_000, pricing: 100_000, accounting: 1_000_000 }
const BETWEEN_TRIES_MS = 100
/** Of each system, for each of them is stopped once; a request itself has long. */
const LIMITS = { timeoutMs: 1_500 }

describe('with its systems killed, stopped and started again under load', function () {
  this.timeout(300_000)
  let world: ProgramUnderTest
  let directory: string
  let key: string
  let paths: string[]
  let now = Date.now()
  const running = {} as Record<System, SystemProcess>

  before(async () => {
    directory = await createSeededFolder([account])
    await Promise.all(systems.map((system) => start(system)))
    world = await startProgram({
      addresses: systemAddresses(Object.values(running)),
      merchants: ['acme'],
      now: () => now,
      limits: { inventory: LIMITS, pricing: LIMITS, accounting: LIMITS },
    })
    key = await world.key('acme', 'publishable', 'live')
    let skus: string[] = []
    let vehicle: number | undefined
    await untilTrue(async () => {
      const { body } = await world.ask('/v1/products?limit=20', key)
      skus = (body.data ?? []).map(({ sku }: { sku: string }) => encodeURIComponent(sku))
      vehicle = await findVehicleId(world, key).catch(() => undefined)
      return skus.length > 0 && vehicle !== undefined
    })
    paths = [
      ...[
        '/v1/products?limit=20',
        '/v1/products?q=filter',
        '/v1/categories',
        '/v1/tags',
        '/v1/vehicles/years',
        `/v1/vehicles/${vehicle}/products?limit=5`,
      ],
      ...skus.slice(0, 2).flatMap((sku) => [`/v1/products/${sku}`, `/v1/products/${sku}/availability`]),
      `/v1/products/${skus[0]}/fitments`,
    ]
    // Once all of it was had, it is never lost again.
    await untilTrue(async () => complete(await wave()))
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await Promise.all(Object.values(running).map((system) => system.stop()))
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  })

  async function start(system: System): Promise<void> {
    const port = running[system] ? Number(new URL(running[system].address).port) : 0
    const options = { system, directory, accounts: [account], port, controlPort: 0 }
    running[system] = await forkSystem({ ...options, token: undefined, host: undefined, onExit: undefined })
  }

  const wave = () => Promise.all(paths.map((path) => world.ask(path, key)))
  const failed = (replies: ApiResponse[]) =>
    replies.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`)
  const complete = (replies: ApiResponse[]) =>
    replies.every(({ headers }) => headers.get('forecourt-complete') === 'true')

  /** None of these answers can be served from what is kept without asking the system. */
  async function agedWave(system: System): Promise<ApiResponse[]> {
    now += WHILES[system]
    const replies = await wave()
    expect(failed(replies)).to.deep.equal([])
    return replies
  }

  /** A busy machine may be too slow for one of them now and then. */
  const allFresh = (system: System) => untilTrue(async () => complete(await agedWave(system)))

  async function recovered(system: System): Promise<void> {
    const closed = () => world.forecourt.upstreams.states().every(({ state }) => state === 'closed')
    await untilTrue(async () => {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS))
      now += SHORTER[system]
      const replies = await wave()
      expect(failed(replies)).to.deep.equal([])
      return complete(replies) && closed()
    })
    await allFresh(system)
  }

  for (const system of systems) {
    it(`loses no answer while ${system} is killed and started again`, async () => {
      await allFresh(system)
      now += WHILES[system]
      const underWay = wave()
      process.kill(running[system].pid, 'SIGKILL')
      expect(failed(await underWay)).to.deep.equal([])
      for (let i = 0; i < 2; i++) expect(complete(await agedWave(system))).to.equal(false)
      const load = wave()
      await start(system)
      expect(failed(await load)).to.deep.equal([])
      await recovered(system)
    })

    it(`loses no answer while ${system} is stopped and goes on`, async () => {
      await allFresh(system)
      now += WHILES[system]
      const underWay = wave()
      process.kill(running[system].pid, 'SIGSTOP')
      try {
        expect(failed(await underWay)).to.deep.equal([])
        for (let i = 0; i < 2; i++) expect(complete(await agedWave(system))).to.equal(false)
      } finally {
        process.kill(running[system].pid, 'SIGCONT')
      }
      await recovered(system)
    })
  }
})
