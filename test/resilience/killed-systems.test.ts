import { rm } from 'node:fs/promises'
import { expect } from 'chai'
import { type System, systems } from '../../src/ports/system.ts'
import { forkSystem, type SystemProcess } from '../../src/sandbox/fork-system.ts'
import { untilTrue } from '../support/until.ts'
import { type ApiResponse, findVehicleId, type ProgramUnderTest, startProgram } from './program-under-test.ts'
import { createSeededFolder } from './seeded-folder.ts'
import { systemAddresses } from './system-addresses.ts'

const account = 'acme-live'
/** After this time all values of a system are stale, but its last-good values are still served. */
const STALE_AFTER_MS: Record<System, number> = { inventory: 400_000, pricing: 400_000, accounting: 1_000_000 }
/** After this time some values of a system are stale. */
const REFRESH_AFTER_MS: Record<System, number> = { inventory: 100_000, pricing: 100_000, accounting: 1_000_000 }
const BETWEEN_TRIES_MS = 100
/** The limits of each system; the deadline of a request is longer. */
const LIMITS = { timeoutMs: 1_500 }

describe('with systems killed, stopped and restarted under load', function () {
  this.timeout(300_000)
  let program: ProgramUnderTest
  let directory: string
  let key: string
  let paths: string[]
  let now = Date.now()
  const running = {} as Record<System, SystemProcess>

  before(async () => {
    directory = await createSeededFolder([account])
    await Promise.all(systems.map((system) => start(system)))
    program = await startProgram({
      addresses: systemAddresses(Object.values(running)),
      merchants: ['acme'],
      now: () => now,
      limits: { inventory: LIMITS, pricing: LIMITS, accounting: LIMITS },
    })
    key = await program.createKey('acme', 'publishable', 'live')
    let skus: string[] = []
    let vehicle: number | undefined
    await untilTrue(async () => {
      const { body } = await program.request('/v1/products?limit=20', key)
      skus = (body.data ?? []).map(({ sku }: { sku: string }) => encodeURIComponent(sku))
      vehicle = await findVehicleId(program, key).catch(() => undefined)
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
    // From now on every value has a last-good value.
    await untilTrue(async () => areComplete(await requestAll()))
  })
  after(async () => {
    await program?.[Symbol.asyncDispose]()
    await Promise.all(Object.values(running).map((system) => system.stop()))
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  })

  async function start(system: System): Promise<void> {
    const port = running[system] ? Number(new URL(running[system].address).port) : 0
    const options = { system, directory, accounts: [account], port, controlPort: 0 }
    running[system] = await forkSystem({ ...options, token: undefined, host: undefined, onExit: undefined })
  }

  const requestAll = () => Promise.all(paths.map((path) => program.request(path, key)))
  const listFailures = (replies: ApiResponse[]) =>
    replies.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`)
  const areComplete = (replies: ApiResponse[]) =>
    replies.every(({ headers }) => headers.get('forecourt-complete') === 'true')

  /** Requests that cannot be served from fresh cache entries of the system. */
  async function requestAllStale(system: System): Promise<ApiResponse[]> {
    now += STALE_AFTER_MS[system]
    const replies = await requestAll()
    expect(listFailures(replies)).to.deep.equal([])
    return replies
  }

  /** Repeated: a busy machine may be too slow for one of them. */
  const waitForFreshResponses = (system: System) => untilTrue(async () => areComplete(await requestAllStale(system)))

  async function waitForRecovery(system: System): Promise<void> {
    const closed = () => program.forecourt.upstreams.states().every(({ state }) => state === 'closed')
    await untilTrue(async () => {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS))
      now += REFRESH_AFTER_MS[system]
      const replies = await requestAll()
      expect(listFailures(replies)).to.deep.equal([])
      return areComplete(replies) && closed()
    })
    await waitForFreshResponses(system)
  }

  for (const system of systems) {
    it(`fails no request while ${system} is killed and restarted`, async () => {
      await waitForFreshResponses(system)
      now += STALE_AFTER_MS[system]
      const responses = requestAll()
      process.kill(running[system].pid, 'SIGKILL')
      expect(listFailures(await responses)).to.deep.equal([])
      for (let i = 0; i < 2; i++) expect(areComplete(await requestAllStale(system))).to.equal(false)
      const load = requestAll()
      await start(system)
      expect(listFailures(await load)).to.deep.equal([])
      await waitForRecovery(system)
    })

    it(`fails no request while ${system} is stopped and continues`, async () => {
      await waitForFreshResponses(system)
      now += STALE_AFTER_MS[system]
      const responses = requestAll()
      process.kill(running[system].pid, 'SIGSTOP')
      try {
        expect(listFailures(await responses)).to.deep.equal([])
        for (let i = 0; i < 2; i++) expect(areComplete(await requestAllStale(system))).to.equal(false)
      } finally {
        process.kill(running[system].pid, 'SIGCONT')
      }
      await waitForRecovery(system)
    })
  }
})
