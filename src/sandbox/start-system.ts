import { openAccountRegistry } from './account-registry.ts'
import { createControlApi } from './control/control-api.ts'
import { createFaultInjector, createSeededRandom, type Fault } from './control/fault-injection.ts'
import { createRestartableServer } from './http/restartable-server.ts'
import type { SandboxSystem } from './protocol/operation-handlers.ts'
import { createPublicApi } from './public-api.ts'

const DRAIN_MS = 1_000

export interface SystemOptions {
  system: SandboxSystem
  /** Where the accounts' files lie, one folder for each account. */
  directory: string
  accounts: readonly string[]
  /** 0, or left out: any free port. */
  port?: number
  controlPort?: number
  token?: string
  host?: string
  /** Where the public listener is reached, when that is not `http://<host>:<port>`: picture addresses begin with it. */
  publicUrl?: string
  now?: () => Date
  random?: () => number
}

export interface RunningSystem {
  system: SandboxSystem
  /** Without an account: a merchant's system is at `<address>/<account>`. */
  address: string
  controlAddress: string
  port: number
  controlPort: number
  setFault(fault: Fault): Promise<void>
  /** Calls since the start, by operation. */
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
  const books = await openAccountRegistry({
    system,
    directory,
    accounts,
    address: () => options.publicUrl ?? address,
    now,
  })

  let loading: ReturnType<typeof load> | undefined
  const load = async () => {
    const routes = await import('./http/operation-router.ts')
    return { ...routes, all: routes.createRoutes(system) }
  }
  const routes = () => {
    loading ??= load()
    return loading
  }
  const open = createRestartableServer(
    createPublicApi({ system, token, accountSystem: books.find, faults, calls, routes }),
    host,
    port,
  )

  async function setFault(fault: Fault): Promise<void> {
    faults.set(fault)
    if (fault.refuse) await open.close(0)
    else await open.open()
  }

  const levers = { accountSystem: books.find, fault: faults.current, setFault, calls }
  const control = createRestartableServer(createControlApi(levers), '127.0.0.1', controlPort)
  async function stop(): Promise<void> {
    faults.release()
    await Promise.all([open.close(DRAIN_MS), control.close(DRAIN_MS)])
    books.close()
  }
  try {
    const [publicAt, controlAt] = await Promise.all([open.open(), control.open()])
    address = `http://${host.includes(':') ? `[${host}]` : host}:${publicAt}`
    setImmediate(routes)
    const controlAddress = `http://127.0.0.1:${controlAt}`
    return { system, address, controlAddress, port: publicAt, controlPort: controlAt, setFault, calls, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
