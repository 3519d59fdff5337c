import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { type System, systems } from '../../../src/ports/system.ts'
import { forkSystem, type SystemProcess } from '../../../src/sandbox/fork-system.ts'
import { createSeededFolder } from '../../resilience/seeded-folder.ts'

const ACCOUNT = 'acme'

/** The embedded systems, each in its own process. */
export interface KillableSystems extends AsyncDisposable {
  /** The systems as a merchant's configuration file names them. */
  readonly configured: object
  /** Kills a system with SIGKILL, and resolves when it is gone. */
  kill(system: System): Promise<void>
  /** Starts a killed system again at its address, and resolves when it responds. */
  start(system: System): Promise<void>
}

export async function startKillableSystems(): Promise<KillableSystems> {
  const directory = await createSeededFolder([ACCOUNT])
  // Another test's system that gets the port of a killed one refuses this token.
  const token = randomUUID()
  const running = new Map<System, SystemProcess & { exited: Promise<void> }>()

  async function start(system: System): Promise<void> {
    const known = running.get(system)
    const port = known ? Number(new URL(known.address).port) : 0
    const { promise: exited, resolve: onExit } = Promise.withResolvers<void>()
    const options = { system, directory, accounts: [ACCOUNT], port, controlPort: 0, token, host: undefined }
    running.set(system, { ...(await forkSystem({ ...options, onExit: () => onExit() })), exited })
  }

  await Promise.all(systems.map(start))
  const toConfig = (system: System) => ({
    adapter: 'rest',
    address: `${running.get(system)!.address}/${ACCOUNT}`,
    token,
  })
  return {
    configured: Object.fromEntries(systems.map((system) => [system, toConfig(system)])),
    async kill(system) {
      const { pid, exited } = running.get(system)!
      process.kill(pid, 'SIGKILL')
      await exited
    },
    start,
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.values()].map((system) => system.stop()))
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
