import type { System } from '../../ports/system.ts'
import { ControlError } from '../../sandbox/control/control-client.ts'
import { DEFAULT_SANDBOX_PORT, formatSandboxPortOption, toSandboxPorts } from '../embedded-sandbox.ts'
import { UsageError } from '../usage-error.ts'

export interface ControlTargetOptions {
  merchant: string
  sandboxPort?: number
}

/** One system of a running embedded back office, for one merchant. */
export interface ControlTarget {
  control: string
  account: string
  /** What a hint must add to reach the same one. */
  options: string
  /** The same, for a command that is of no merchant. */
  port: string
}

const CONTROL_OFFSET = 100

export const toControlUrl = (system: System, firstPort: number) =>
  `http://127.0.0.1:${toSandboxPorts(firstPort)[system] + CONTROL_OFFSET}`

/** Does something to a running system. What it refuses, and that it does not run, becomes a sentence that says what to do. */
export async function withControlTarget<T>(
  system: System,
  { merchant, sandboxPort = DEFAULT_SANDBOX_PORT }: ControlTargetOptions,
  work: (target: ControlTarget) => Promise<T>,
): Promise<T> {
  const control = toControlUrl(system, sandboxPort)
  const port = formatSandboxPortOption(sandboxPort)
  const options = `${merchant === 'demo' ? '' : ` --merchant ${merchant}`}${port}`
  try {
    return await work({ control, account: merchant, options, port })
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof ControlError) throw new UsageError(sentenceOf(error, merchant))
    throw createSystemUnavailableError(system, sandboxPort, error)
  }
}

/** Of a system that does not run, or not there. */
export const createSystemUnavailableError = (system: System, firstPort: number, error: unknown): UsageError =>
  new UsageError(
    `The embedded ${system} does not answer at ${toControlUrl(system, firstPort)}. Start it in another terminal: npx forecourt demo${formatSandboxPortOption(firstPort)} (or serve, or sandbox); does it run on other ports, add --sandbox-port <port>. (${reasonOf(error)})`,
  )

/** Whether the control refused because it has nothing of that name. */
export const isControlNotFound = (error: unknown): boolean =>
  error instanceof ControlError && error.code === 'not_found'

function sentenceOf({ code, detail }: ControlError, merchant: string): string {
  if (code === 'no_account')
    return `The embedded back office that runs here keeps nothing for merchant "${merchant}". Name another with --merchant <id>`
  return `${detail[0]?.toUpperCase()}${detail.slice(1)}`
}

/** fetch says "fetch failed" and keeps why to itself. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message
}
