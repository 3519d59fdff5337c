import type { System } from '../../ports/system.ts'
import { ControlRefused } from '../../sandbox/control/control-client.ts'
import { DEFAULT_SANDBOX_PORT, portOption, sandboxPorts } from '../embedded-sandbox.ts'
import { UsageError } from '../usage-error.ts'

export interface TargetOptions {
  merchant: string
  sandboxPort?: number
}

/** One system of a running embedded back office, for one merchant. */
export interface Target {
  control: string
  account: string
  /** What a hint must add to reach the same one. */
  options: string
  /** The same, for a command that is of no merchant. */
  port: string
}

const CONTROL_OFFSET = 100

export const controlAddress = (system: System, firstPort: number) =>
  `http://127.0.0.1:${sandboxPorts(firstPort)[system] + CONTROL_OFFSET}`

/** Does something to a running system. What it refuses, and that it does not run, becomes a sentence that says what to do. */
export async function reach<T>(
  system: System,
  { merchant, sandboxPort = DEFAULT_SANDBOX_PORT }: TargetOptions,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const control = controlAddress(system, sandboxPort)
  const port = portOption(sandboxPort)
  const options = `${merchant === 'demo' ? '' : ` --merchant ${merchant}`}${port}`
  try {
    return await work({ control, account: merchant, options, port })
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof ControlRefused) throw new UsageError(sentenceOf(error, merchant))
    throw silent(system, sandboxPort, error)
  }
}

/** Of a system that does not run, or not there. */
export const silent = (system: System, firstPort: number, error: unknown): UsageError =>
  new UsageError(
    `The embedded ${system} does not answer at ${controlAddress(system, firstPort)}. Start it in another terminal: npx forecourt demo${portOption(firstPort)} (or serve, or sandbox); does it run on other ports, add --sandbox-port <port>. (${reasonOf(error)})`,
  )

/** Whether the control refused because it has nothing of that name. */
export const isAbsent = (error: unknown): boolean => error instanceof ControlRefused && error.code === 'not_found'

function sentenceOf({ code, detail }: ControlRefused, merchant: string): string {
  if (code === 'no_account')
    return `The embedded back office that runs here keeps nothing for merchant "${merchant}". Name another with --merchant <id>`
  return `${detail[0]?.toUpperCase()}${detail.slice(1)}`
}

/** fetch says "fetch failed" and keeps why to itself. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message
}
