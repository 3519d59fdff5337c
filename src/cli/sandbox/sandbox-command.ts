import { join } from 'node:path'
import { readDefaultConfig } from '../../config/conversion/default-config.ts'
import { systems } from '../../ports/system.ts'
import { SystemPortError } from '../../sandbox/fork-system.ts'
import { ACCOUNT_NAME_RULE, isAccountName } from '../../sandbox/is-account-name.ts'
import { startSandbox } from '../../sandbox/start-sandbox.ts'
import { DEMO_LIVE_ACCOUNT } from '../embedded-systems.ts'
import { parseSystemList, splitList } from '../parse-option.ts'
import { print, printError } from '../print.ts'
import { DEFAULT_SANDBOX_PORT, toSandboxPorts } from '../sandbox-ports.ts'
import { ensureSandboxToken, tokenFileIn } from '../sandbox-token.ts'
import { waitForShutdownSignal } from '../shutdown-and-hangup-signals.ts'
import { formatSandboxCommand } from '../suggested-command-lines.ts'
import { systemResponds } from '../system-responds.ts'
import { UsageError } from '../usage-error.ts'

export interface SandboxCommandOptions {
  only?: string
  merchants?: string
  sandboxPort?: number
}

/** Runs the embedded systems alone, each in its own process and on its own port, so that one can be stopped while an API uses the others. */
export async function runSandbox(options: SandboxCommandOptions): Promise<void> {
  const { dataDirectory } = readDefaultConfig()
  const firstPort = options.sandboxPort ?? DEFAULT_SANDBOX_PORT
  const only = options.only === undefined ? systems : parseSystemList(options.only, systems)
  const accounts = parseMerchantsOption(options.merchants)
  const token = ensureSandboxToken(dataDirectory)
  const shutdown = waitForShutdownSignal()
  await using sandbox = await startSandbox({
    directory: join(dataDirectory, 'sandbox'),
    accounts,
    token,
    ports: toSandboxPorts(firstPort),
    only,
    onExit: ({ system }) =>
      printError(
        `${system} has exited. Start it again with: ${formatSandboxCommand(firstPort, dataDirectory)} --only ${system}`,
      ),
  }).catch(async (error) => {
    throw error instanceof SystemPortError
      ? await explainTakenPort(error, { firstPort, accounts, dataDirectory, token })
      : error
  })
  for (const { system, address, pid } of sandbox.systems)
    print(`${system.padEnd(11)} ${address}/${accounts[0]}   pid ${pid}`)
  print(
    `\nBearer token: ${token}\nMake one hang with kill -STOP <pid>, and resume it with kill -CONT <pid>. Ctrl-C ends all of them.`,
  )
  await shutdown
}

interface SandboxPlace {
  firstPort: number
  accounts: readonly string[]
  dataDirectory: string
  token: string
}

/** Says where the token of a running sandbox is: its demo or server does not print it. */
async function explainTakenPort(error: Error, place: SandboxPlace): Promise<Error> {
  const { firstPort, accounts, dataDirectory } = place
  const ports = toSandboxPorts(firstPort)
  const running = await Promise.all(systems.map((system) => systemResponds(ports[system], place)))
  if (!running.includes(true))
    return new Error(
      `${error.message}. If a sandbox of another data directory runs there, its token is in the file sandbox/token of that directory`,
    )
  const addresses = systems.filter((_, at) => running[at]).map((system) => `http://127.0.0.1:${ports[system]}`)
  return new Error(
    `This sandbox is running already, at ${addresses.join(', ')} (each with /${accounts[0]}). Its bearer token is in ${tokenFileIn(dataDirectory)}`,
  )
}

function parseMerchantsOption(text: string | undefined): string[] {
  if (text === undefined) return ['demo', DEMO_LIVE_ACCOUNT]
  const merchants = splitList(text)
  const invalid = merchants.find((merchant) => !isAccountName(merchant))
  if (invalid === undefined) return merchants
  throw new UsageError(`--merchants takes ids separated by commas, not "${invalid}": ${ACCOUNT_NAME_RULE}`)
}
