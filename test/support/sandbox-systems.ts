import { rmSync } from 'node:fs'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type System, systems } from '../../src/ports/system.ts'
import { type RunningSystem, startSystem } from '../../src/sandbox/start-system.ts'

/** Accounts of the embedded back office, one per merchant and mode. */
export const sandboxAccounts = ['acme', 'acme-live', 'zenith', 'zenith-live']

export type SandboxSystems = Record<System, RunningSystem>

/** Starts the three embedded systems in this process, on free ports, with fresh data in a folder. */
export async function startSandboxSystems(directory: string): Promise<SandboxSystems> {
  template ??= createTemplate()
  await cp(await template, directory, { recursive: true })
  return start(directory)
}

let template: Promise<string> | undefined

/** Creates the data once: copying it for each test file is faster than creating it. */
async function createTemplate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-template-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  await stopSandboxSystems(await start(directory))
  return directory
}

async function start(directory: string): Promise<SandboxSystems> {
  const started = await Promise.all(
    systems.map((system) => startSystem({ system, directory, accounts: sandboxAccounts })),
  )
  return Object.fromEntries(started.map((system) => [system.system, system])) as SandboxSystems
}

export async function stopSandboxSystems(embedded: SandboxSystems): Promise<void> {
  await Promise.all(Object.values(embedded).map((system) => system.stop()))
}
