import type { Config } from '../config/config.ts'
import { systems } from '../ports/system.ts'
import { CONTROL_OFFSET } from '../sandbox/start-sandbox.ts'
import { toSandboxPorts } from './sandbox-ports.ts'
import { UsageError } from './usage-error.ts'

/** Throws UsageError when the embedded back office would use a port of this server itself: both would fail to listen on it, or blame another program. */
export function refusePortConflicts(firstPort: number, { listen, operations, metrics }: Listeners): void {
  const ports = toSandboxPorts(firstPort)
  const used = new Map(
    systems.flatMap((system) => [
      [ports[system], `the sandbox's ${system} system`],
      [ports[system] + CONTROL_OFFSET, `the control of the sandbox's ${system} system`],
    ]),
  )
  const own = [
    [listen.port, 'the API (PORT or listen.port)'],
    [operations?.port, 'the operations pages (operations.port, or the port after that of the API)'],
    [metrics?.port, 'the metrics (metrics.port)'],
  ] as const
  for (const [port, name] of own)
    if (port && used.has(port))
      throw new UsageError(
        `Port ${port} is that of ${name} and of ${used.get(port)}. Choose another port for the first, or start the sandbox's ports elsewhere: --sandbox-port <first>`,
      )
}

type Listeners = Pick<Config, 'listen' | 'operations' | 'metrics'>
