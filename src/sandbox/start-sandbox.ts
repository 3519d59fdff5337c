import { forkSystem, type SystemExit, type SystemProcess } from './fork-system.ts'
import type { SandboxSystem } from './protocol/operation-handlers.ts'

const CONTROL_OFFSET = 100
const defaultPorts: Record<SandboxSystem, number> = { inventory: 8091, pricing: 8092, accounting: 8093 }

export interface SandboxStartOptions {
  directory: string
  accounts: readonly string[]
  token?: string
  /** Defaults: inventory 8091, pricing 8092, accounting 8093; control is 100 above. 0: any free ports. */
  ports?: Partial<Record<SandboxSystem, number>>
  host?: string
  /** Defaults to all three. */
  only?: readonly SandboxSystem[]
  /** Told when a system ended that nobody stopped through `stop`. It is not started again. */
  onExit?: (report: SystemExit) => void
}

export interface Sandbox extends AsyncDisposable {
  systems: Omit<SystemProcess, 'stop'>[]
  stop(): Promise<void>
}

/** Starts the embedded back office, each system a process of its own, and resolves when all of them answer. */
export async function startSandbox(options: SandboxStartOptions): Promise<Sandbox> {
  const { directory, accounts, token, host, only = ['inventory', 'pricing', 'accounting'], onExit } = options
  const starts = await Promise.allSettled(
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
  const children = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const stop = async () => void (await Promise.all(children.map((child) => child.stop())))
  const failures = starts.flatMap((start) =>
    start.status === 'rejected' ? [String(start.reason?.message ?? start.reason)] : [],
  )
  if (failures.length > 0) {
    await stop()
    throw new Error(failures.join('\n'))
  }
  const systems = children.map(({ stop: _, ...child }) => child)
  return { systems, stop, [Symbol.asyncDispose]: stop }
}
