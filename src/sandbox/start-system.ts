import { openAccountRegistry } from './account-registry.ts'
import { createControlApi } from './control/control-api.ts'
import { createFaultInjector, type Fault } from './control/fault-injection.ts'
import { createSeededRandom } from './control/seeded-random.ts'
import { createRestartableServer } from './http/restartable-server.ts'
import type { SandboxSystem } from './protocol/upstream-protocol.ts'
import { createSystemRequestHandler } from './system-request-handler.ts'

const DRAIN_MS = 1_000

export interface SystemOptions {
  system: SandboxSystem
  /** The folder of the accounts' files, with a folder for each account. */
  directory: string
  accounts: readonly string[]
  /** Default 0: any free port. */
  port?: number
  controlPort?: number
  token?: string
  host?: string
  /** The base URL of picture URLs; default: `http://<host>:<port>`. */
  publicUrl?: string
  now?: () => Date
  random?: () => number
}

export interface RunningSystem {
  system: SandboxSystem
  /** The base URL; an account is at `<address>/<account>`. */
  address: string
  controlAddress: string
  port: number
  controlPort: number
  setFault(fault: Fault): Promise<void>
  /** The number of calls since the start, by operation. */
  calls: Readonly<Record<string, number>>
  stop(): Promise<void>
}

/** Starts one system of the embedded back office in this process. */
export async function startSystem(options: SystemOptions): Promise<RunningSystem> {
  const { system, directory, accounts, port = 0, controlPort = 0, token = 'sandbox', host = '127.0.0.1' } = options
  const now = options.now ?? (() => new Date())
  const faults = createFaultInjector(options.random ?? createSeededRandom())
  const calls: Record<string, number> = {}
  let address = ''
  const registry = await openAccountRegistry({
    system,
    directory,
    accounts,
    address: () => options.publicUrl ?? address,
    now,
  })

  let routesPromise: ReturnType<typeof load> | undefined
  const load = async () => {
    const routes = await import('./http/operation-router.ts')
    return { ...routes, all: routes.createRoutes(system) }
  }
  const routes = () => {
    routesPromise ??= load()
    return routesPromise
  }
  const publicServer = createRestartableServer(
    createSystemRequestHandler({ system, token, findAccount: registry.find, faults, calls, routes }),
    host,
    port,
  )

  async function setFault(fault: Fault): Promise<void> {
    faults.set(fault)
    if (fault.refuse) await publicServer.close(0)
    else await publicServer.open()
  }

  const controlParts = { findAccount: registry.find, fault: faults.current, setFault, calls }
  const controlServer = createRestartableServer(createControlApi(controlParts), '127.0.0.1', controlPort)
  async function stop(): Promise<void> {
    faults.release()
    await Promise.all([publicServer.close(DRAIN_MS), controlServer.close(DRAIN_MS)])
    registry.close()
  }
  try {
    const [publicPort, boundControlPort] = await Promise.all([publicServer.open(), controlServer.open()])
    address = `http://${host.includes(':') ? `[${host}]` : host}:${publicPort}`
    setImmediate(routes)
    const controlAddress = `http://127.0.0.1:${boundControlPort}`
    return { system, address, controlAddress, port: publicPort, controlPort: boundControlPort, setFault, calls, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
