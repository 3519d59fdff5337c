import { forkSystem, type SystemExit, SystemFilesError, SystemPortError, type SystemProcess } from './fork-system.ts'
import type { SandboxSystem } from './protocol/upstream-protocol.ts'

/** Between the port of a system and that of its control. */
export const CONTROL_OFFSET = 100
const defaultPorts: Record<SandboxSystem, number> = { inventory: 8091, pricing: 8092, accounting: 8093 }

export interface SandboxStartOptions {
  directory: string
  accounts: readonly string[]
  token?: string
  /** Defaults: inventory 8091, pricing 8092, accounting 8093. Control ports are 100 above. 0: any free ports. */
  ports?: Partial<Record<SandboxSystem, number>>
  host?: string
  /** Defaults to all three. */
  only?: readonly SandboxSystem[]
  /** Called when a system exits without `stop`. It is not restarted. */
  onExit?: (exit: SystemExit) => void
}

export interface Sandbox extends AsyncDisposable {
  systems: Omit<SystemProcess, 'stop'>[]
  stop(): Promise<void>
}

/** Starts the embedded back office, with a process for each system. Resolves when all of them respond. */
export async function startSandbox(options: SandboxStartOptions): Promise<Sandbox> {
  const { directory, accounts, token, host, only = ['inventory', 'pricing', 'accounting'], onExit } = options
  const results = await Promise.allSettled(
    only.map((system) => {
      const port = options.ports?.[system] ?? defaultPorts[system]
      return forkSystem({
        system,
        directory,
        accounts,
        token,
        host,
        port,
        controlPort: port === 0 ? 0 : port + CONTROL_OFFSET,
        onExit,
      })
    }),
  )
  const children = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const stop = async () => void (await Promise.all(children.map((child) => child.stop())))
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
  if (failures.length > 0) {
    await stop()
    throw toStartError(failures)
  }
  const systems = children.map(({ stop: _, ...child }) => child)
  return { systems, stop, [Symbol.asyncDispose]: stop }
}

function toStartError(failures: readonly Error[]): Error {
  const message = failures.map((failure) => failure.message).join(', ')
  const unwritable = failures.find((failure) => failure instanceof SystemFilesError)
  if (unwritable) return new SystemFilesError(`${message}. ${unwritable.remedy}`, unwritable.remedy)
  if (!failures.some((failure) => failure instanceof SystemPortError)) return new Error(message)
  return new SystemPortError(
    `${message}. Stop the program that uses it, or choose other ports with --sandbox-port <first>: the sandbox uses three ports from there on, and three that are 100 above`,
  )
}
