import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type System, systems } from '../../src/ports/system.ts'
import { type RunningSystem, startSystem } from '../../src/sandbox/start-system.ts'
import type { Addresses } from './program-under-test.ts'

/** The three embedded systems in this process, for some accounts. */
export interface Embedded extends AsyncDisposable {
  systems: Record<System, RunningSystem>
  addresses: Addresses
}

/** A folder with freshly filled accounts. Filling one takes a while; the others are copies of it. */
export async function filled(accounts: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-accounts-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const [first, ...others] = accounts
  const started = await Promise.all(systems.map((system) => startSystem({ system, directory, accounts: [first!] })))
  await Promise.all(started.map((system) => system.stop()))
  for (const account of others) await cp(join(directory, first!), join(directory, account), { recursive: true })
  return directory
}

export async function startEmbedded(accounts: readonly string[]): Promise<Embedded> {
  const directory = await filled(accounts)
  const started = await Promise.all(systems.map((system) => startSystem({ system, directory, accounts })))
  const running = Object.fromEntries(started.map((system) => [system.system, system])) as Record<System, RunningSystem>
  return {
    systems: running,
    addresses: addressesOf(started),
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((system) => system.stop()))
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

export function addressesOf(started: readonly { system: System; address: string }[]): Addresses {
  return Object.fromEntries(started.map(({ system, address }) => [system, address])) as Addresses
}
