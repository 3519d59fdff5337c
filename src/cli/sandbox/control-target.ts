import { forecourtCommand } from '../../installed-command-line.ts'
import type { System } from '../../ports/system.ts'
import { ControlError } from '../../sandbox/control/control-client.ts'
import { DEFAULT_SANDBOX_PORT, formatSandboxPortOption, toSandboxPorts } from '../sandbox-ports.ts'
import { UsageError } from '../usage-error.ts'

export interface ControlTargetOptions {
  merchant: string
  sandboxPort?: number
}

/** One system of a running embedded back office, for one merchant. */
export interface ControlTarget {
  controlUrl: string
  account: string
  /** The options with which a command in a hint reaches the same system and merchant. */
  hintOptions: string
  /** The same for a command without --merchant. */
  hintPortOption: string
}

const CONTROL_OFFSET = 100

export const toControlUrl = (system: System, firstPort: number) =>
  `http://127.0.0.1:${toSandboxPorts(firstPort)[system] + CONTROL_OFFSET}`

/** Runs work on a running system. When the system refuses it or does not run, the error says what to do. */
export async function withControlTarget<T>(
  system: System,
  { merchant, sandboxPort = DEFAULT_SANDBOX_PORT }: ControlTargetOptions,
  work: (target: ControlTarget) => Promise<T>,
): Promise<T> {
  const controlUrl = toControlUrl(system, sandboxPort)
  const hintPortOption = formatSandboxPortOption(sandboxPort)
  const hintOptions = `${merchant === 'demo' ? '' : ` --merchant ${merchant}`}${hintPortOption}`
  try {
    return await work({ controlUrl, account: merchant, hintOptions, hintPortOption })
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof ControlError) throw new UsageError(describeCertificateRefusal(error, merchant))
    throw createSystemUnavailableError(system, sandboxPort, error)
  }
}

/** Creates the error for a system that does not run, or runs on other ports. */
export const createSystemUnavailableError = (system: System, firstPort: number, error: unknown): UsageError =>
  new UsageError(
    `The embedded ${system} system does not respond at ${toControlUrl(system, firstPort)} (${reasonOf(error)}). Start it in another terminal: ${forecourtCommand} demo${formatSandboxPortOption(firstPort)} (or serve, or sandbox). If it runs on other ports, add --sandbox-port <port>`,
  )

/** Returns whether the system responded that the thing does not exist. */
export const isControlNotFound = (error: unknown): boolean =>
  error instanceof ControlError && error.code === 'not_found'

function describeCertificateRefusal({ code, detail }: ControlError, merchant: string): string {
  if (code === 'no_account')
    return `The embedded back office has no merchant "${merchant}". Name another with --merchant <id>`
  return `${detail[0]?.toUpperCase()}${detail.slice(1)}`
}

/** Returns the cause, because the message of fetch is only "fetch failed". */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message
}
