import { join } from 'node:path'
import type { SystemsConfig } from '../config/system-config.ts'
import { systems } from '../ports/system.ts'
import { type Sandbox, startSandbox } from '../sandbox/start-sandbox.ts'
import { toSandboxPorts } from './sandbox-ports.ts'
import { systemResponds } from './system-responds.ts'

/** The embedded account that live keys of the demo merchant read. It is not the sandbox's account, so that the modes never share data. */
export const DEMO_LIVE_ACCOUNT = 'demo-live'

/** Returns a function from an account of the embedded back office to the systems that a merchant's configuration would contain. */
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

/** Starts the embedded systems that do not respond yet: `forecourt sandbox` may run the others. */
export async function startMissingSystems(options: {
  dataDirectory: string
  accounts: readonly string[]
  firstPort: number
  token: string
  onExit: (system: string) => void
}): Promise<Sandbox> {
  const ports = toSandboxPorts(options.firstPort)
  const isRunning = await Promise.all(systems.map((system) => systemResponds(ports[system], options)))
  return startSandbox({
    directory: join(options.dataDirectory, 'sandbox'),
    accounts: options.accounts,
    token: options.token,
    ports,
    only: systems.filter((_, index) => !isRunning[index]),
    onExit: ({ system }) => options.onExit(system),
  })
}
