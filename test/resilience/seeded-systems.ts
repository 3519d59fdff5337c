import { rm } from 'node:fs/promises'
import { type System, systems } from '../../src/ports/system.ts'
import { type RunningSystem, startSystem } from '../../src/sandbox/start-system.ts'
import { createSeededFolder } from './seeded-folder.ts'
import { type SystemAddresses, systemAddresses } from './system-addresses.ts'

/** The three sandbox systems in this process, with seeded accounts. */
export interface SeededSystems extends AsyncDisposable {
  systems: Record<System, RunningSystem>
  addresses: SystemAddresses
}

/** Starts the three systems with these accounts, in a folder that is removed on disposal. */
export async function startSeededSystems(accounts: readonly string[]): Promise<SeededSystems> {
  const directory = await createSeededFolder(accounts)
  const started = await Promise.all(systems.map((system) => startSystem({ system, directory, accounts })))
  const running = Object.fromEntries(started.map((system) => [system.system, system])) as Record<System, RunningSystem>
  return {
    systems: running,
    addresses: systemAddresses(started),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((system) => system.stop()))
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
