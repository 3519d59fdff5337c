import { join } from 'node:path'
import { readDefaultConfig } from '../../config/config.ts'
import { type System, systems } from '../../ports/system.ts'
import { ControlError, clearFaults, setFault } from '../../sandbox/control/control-client.ts'
import type { Fault } from '../../sandbox/control/fault-injection.ts'
import { createUpstreamOpenApi } from '../../sandbox/protocol/upstream-protocol.ts'
import { startSandbox } from '../../sandbox/start-sandbox.ts'
import { formatSandboxCommand } from '../command-hints.ts'
import { DEFAULT_SANDBOX_PORT, ensureSandboxToken, toSandboxPorts } from '../embedded-sandbox.ts'
import { print, printError, printJson } from '../print.ts'
import { waitForShutdownSignal } from '../shutdown-signal.ts'
import { printTable } from '../table.ts'
import { UsageError } from '../usage-error.ts'
import { createSystemUnavailableError, toControlUrl } from './control-target.ts'

export interface SandboxCommandOptions {
  only?: string
  merchants?: string
  sandboxPort?: number
}

/** The embedded systems alone, each a process with a port of its own, so that one can be stopped while an API runs elsewhere. */
export async function runSandbox(options: SandboxCommandOptions): Promise<void> {
  const { dataDirectory } = readDefaultConfig()
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const only = options.only?.split(',').map((name) => systemNamed(name.trim())) ?? [...systems]
  const accounts = options.merchants?.split(',').map((name) => name.trim()) ?? ['demo', 'demo-live']
  const token = ensureSandboxToken(dataDirectory)
  const stopped = waitForShutdownSignal()
  await using backOffice = await startSandbox({
    directory: join(dataDirectory, 'sandbox'),
    accounts,
    token,
    ports: toSandboxPorts(firstPort),
    only,
    onExit: ({ system }) =>
      printError(
        `${system} has ended. Start it again with: ${formatSandboxCommand(firstPort, dataDirectory)} --only ${system}`,
      ),
  })
  for (const { system, address, pid } of backOffice.systems)
    print(`${system.padEnd(11)} ${address}/${accounts[0]}   pid ${pid}`)
  print(
    `\nBearer token: ${token}\nHang one with kill -STOP <pid>, wake it with kill -CONT <pid>. Ctrl-C stops them all.`,
  )
  await stopped
}

/** The OpenAPI document of what adapter `rest` asks: what a system without an adapter of its own implements. */
export const runSandboxProtocol = (): void => printJson(createUpstreamOpenApi())

/** What the sandbox can be made to answer: shoppers with their passwords, SKUs, promotion codes and orders, and what each forces. */
export async function runSandboxOutcomes(options: { json?: boolean }): Promise<void> {
  const { outcomes } = await import('../../../fixtures/outcomes.ts')
  if (options.json) return printJson(outcomes)
  const rows = outcomes.map(({ what, shopper, sku, promotion_code, order_id, outcome, how }) => [
    what,
    shopper?.email ?? '',
    [sku, promotion_code, order_id].filter(Boolean).join(' '),
    how ? `${outcome} (${how})` : outcome,
  ])
  const heads = ['WHAT', 'SHOPPER', 'WITH', 'OUTCOME']
  printTable(heads, rows)
  const passwords = new Set(outcomes.flatMap(({ shopper }) => shopper?.password ?? []))
  print(`\nPassword of every shopper: ${[...passwords].join(', ')}`)
}

export interface SandboxFaultOptions {
  delay?: string
  hang?: boolean
  errorRate?: string
  status?: string
  garbage?: boolean
  refuse?: boolean
  dropAfter?: string
  late?: string
  lateRate?: string
  onlyCalls?: string
  clear?: boolean
  sandboxPort?: number
}

/** Makes a running embedded system fail, until it is cleared. */
export async function runSandboxFault(name: string, options: SandboxFaultOptions): Promise<void> {
  const system = systemNamed(name)
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const control = toControlUrl(system, firstPort)
  const wanted = faultOf(options)
  const { only: _, ...wrong } = wanted
  if (!options.clear && Object.keys(wrong).length === 0) {
    throw new UsageError(
      'Say what should go wrong: --delay 500, --hang, --error-rate 0.5, --status 503, --garbage, --refuse, --drop-after 0.2 or --late 2000; or --clear',
    )
  }
  try {
    await (options.clear ? clearFaults(control) : setFault(control, wanted))
  } catch (error) {
    if (error instanceof ControlError) throw new UsageError(`The embedded ${system} refuses that: ${error.detail}`)
    throw createSystemUnavailableError(system, firstPort, error)
  }
  print(
    options.clear
      ? `${system} is well again.`
      : `${system} now has: ${JSON.stringify(wanted)}. Clear it with: ${formatSandboxCommand(firstPort)} fault ${system} --clear`,
  )
}

function faultOf(options: SandboxFaultOptions): Fault {
  return {
    ...(options.delay !== undefined && { delay_ms: numberOf('--delay', options.delay, 0, 600_000) }),
    ...(options.hang && { hang: true }),
    ...(options.errorRate !== undefined && { error_rate: numberOf('--error-rate', options.errorRate, 0, 1) }),
    ...(options.status !== undefined && { status: numberOf('--status', options.status, 500, 599) }),
    ...(options.garbage && { garbage: true }),
    ...(options.refuse && { refuse: true }),
    ...(options.dropAfter !== undefined && { drop_after: numberOf('--drop-after', options.dropAfter, 0, 1) }),
    ...(options.late !== undefined && { late_ms: numberOf('--late', options.late, 0, 600_000) }),
    ...(options.lateRate !== undefined && { late_rate: numberOf('--late-rate', options.lateRate, 0, 1) }),
    ...(options.onlyCalls !== undefined && { only: options.onlyCalls.split(',').map((id) => id.trim()) }),
  }
}

function numberOf(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= least && value <= most) return value
  throw new UsageError(`${option} takes a number from ${least} to ${most}, not "${text}"`)
}

function systemNamed(name: string): System {
  const found = systems.find((system) => system === name)
  if (!found) throw new UsageError(`There is no system "${name}": ${systems.join(', ')}`)
  return found
}
