import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SystemsConfig } from '../config/config.ts'
import { makeFolder } from '../lifecycle/make-folder.ts'
import { type System, systems } from '../ports/system.ts'
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts'
import { randomBase62 } from '../storage/keys/api-key-format.ts'

export const DEFAULT_SANDBOX_PORT = 8091

/** The secret between this API and its embedded systems: made once, kept beside their state, readable by this account alone. */
export function ensureSandboxToken(dataDirectory: string): string {
  const directory = join(dataDirectory, 'sandbox')
  try {
    makeFolder(directory, 0o700)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const remedy = 'Set FORECOURT_DATA to a folder that it may write'
    throw new Error(`${dataDirectory} cannot be written by this account (${code}). ${remedy}.`, { cause })
  }
  const file = join(directory, 'token')
  try {
    writeFileSync(file, randomBase62(32), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}

/** What a hint must add when the ports are not the usual ones. */
export const formatSandboxPortOption = (firstPort: number) =>
  firstPort === DEFAULT_SANDBOX_PORT ? '' : ` --sandbox-port ${firstPort}`

export const toSandboxPorts = (first: number): Record<System, number> => ({
  inventory: first,
  pricing: first + 1,
  accounting: first + 2,
})

/** The embedded back office as a merchant's configuration would name it. */
export function createEmbeddedSystemsConfig(firstPort: number, token: string): (account: string) => SystemsConfig {
  const ports = toSandboxPorts(firstPort)
  return (account) =>
    Object.fromEntries(
      systems.map((system) => [
        system,
        {
          adapter: 'rest',
          address: `http://127.0.0.1:${ports[system]}/${account}`,
          settings: { token },
          limits: {},
          maxResponseBytes: 16 * 1_048_576,
        },
      ]),
    )
}

/** Starts those embedded systems that do not answer yet: they may be running on their own (`forecourt sandbox`). */
export async function startMissingSystems(options: {
  dataDirectory: string
  accounts: readonly string[]
  firstPort: number
  token: string
  onExit: (system: string) => void
}): Promise<Sandbox> {
  const ports = toSandboxPorts(options.firstPort)
  const answering = await Promise.all(systems.map((system) => answers(ports[system], options)))
  return startSandbox({
    directory: join(options.dataDirectory, 'sandbox'),
    accounts: options.accounts,
    token: options.token,
    ports,
    only: systems.filter((_, at) => !answering[at]),
    onExit: ({ system }) => options.onExit(system),
  })
}

async function answers(
  port: number,
  { accounts, token }: { accounts: readonly string[]; token: string },
): Promise<boolean> {
  try {
    const reply = await fetch(`http://127.0.0.1:${port}/${accounts[0]}/health`, {
      headers: { authorization: `Bearer ${token}` },
      // One that is there may be busy.
      signal: AbortSignal.timeout(5_000),
    })
    return reply.ok
  } catch {
    return false
  }
}
