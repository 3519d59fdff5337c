import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type System, systems } from '../../src/ports/system.ts'
import { type RunningSystem, startSystem } from '../../src/sandbox/start-system.ts'
import type { SystemAddresses } from './program-under-test.ts'

/** The three sandbox systems in this process. */
export interface SandboxSystems extends AsyncDisposable {
  systems: Record<System, RunningSystem>
  addresses: SystemAddresses
}

/** Creates a folder with seeded accounts. Seeds only the first one, which is slow, and copies it to the others. */
export async function createSeededFolder(accounts: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-accounts-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const [first, ...others] = accounts
  const started = await Promise.all(systems.map((system) => startSystem({ system, directory, accounts: [first!] })))
  await Promise.all(started.map((system) => system.stop()))
  for (const account of others) await cp(join(directory, first!), join(directory, account), { recursive: true })
  return directory
}

export async function startSandboxSystems(accounts: readonly string[]): Promise<SandboxSystems> {
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

export function systemAddresses(started: readonly { system: System; address: string }[]): SystemAddresses {
  return Object.fromEntries(started.map(({ system, address }) => [system, address])) as SystemAddresses
}
