import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nodeFlags } from '../../src/operations/node-flags.ts'
import { fastStart } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { type SandboxSystems, startSandboxSystems, stopSandboxSystems } from '../support/sandbox-systems.ts'

const PUBLISHABLE = ['--kind', 'publishable', '--mode', 'sandbox']
const main = resolve(import.meta.dirname, '../../src/main.ts')

export interface ServerOptions {
  /** Further settings of the configuration file's top level. */
  config?: object
  /** Further settings of merchant acme. */
  merchant?: object
  env?: Record<string, string>
  /** Configures the operations listener; off by default. */
  operations?: object
}

interface CommandResult {
  code: number
  stdout: string
  stderr: string
}

/** A server in its own process, configured by a file and keyed by the command line, as an attacker would meet it. */
export interface ServerProcess extends AsyncDisposable {
  address: string
  pid: number
  directory: string
  configFile: string
  /** The back office. Merchant acme's sandbox mode uses the account `acme`. */
  systems: SandboxSystems
  /** Issues a key with `forecourt keys issue`; a publishable sandbox key of acme by default, which one client may use up. */
  issueKey(...options: string[]): Promise<string>
  /** Runs a command of the CLI against this server's configuration. */
  cli(...args: string[]): Promise<CommandResult>
  /** Runs a command with further environment variables, such as NODE_OPTIONS. */
  cliWith(variables: Record<string, string>, ...args: string[]): Promise<CommandResult>
  /** Kills the process with a signal and waits until it has exited. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Starts a process again at the same address. */
  restart(): Promise<void>
  /** Resident memory of the process, in bytes. */
  residentBytes(): Promise<number>
  openFiles(): Promise<number>
  /** The bytes that the process has read from files and connections since its start. */
  readBytes(): Promise<number>
  log(): Promise<string>
}

export async function startServerProcess(options: ServerOptions = {}): Promise<ServerProcess> {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'forecourt-hostile-'))
  stack.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }))
  const systems = await startSandboxSystems(directory)
  stack.defer(() => stopSandboxSystems(systems))
  const configFile = join(directory, 'forecourt.yaml')
  await writeFile(configFile, JSON.stringify(toConfigFile(directory, systems, options)))
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const logFile = join(directory, 'server.log')
  const env = { ...process.env, ...fastStart, PORT: String(port), FORECOURT_DATA: directory, ...options.env }
  let child: ChildProcess

  async function start(): Promise<void> {
    const log = openSync(logFile, 'a')
    child = spawn(process.execPath, [...nodeFlags, main, 'serve', '--config', configFile], {
      env,
      stdio: ['ignore', log, log],
    })
    const exited = once(child, 'exit')
    while (isRunning(child)) {
      if (await isHealthy(address)) return
      await Promise.race([pause(10), exited])
    }
    throw new Error(`The server exited while it was starting:\n${await readFile(logFile, 'utf8')}`)
  }

  async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (!isRunning(child)) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  const cliWith = (variables: Record<string, string>, ...args: string[]) =>
    runCommand([main, ...args], { ...env, ...variables })
  const cli = (...args: string[]) => cliWith({}, ...args)

  await start()
  stack.defer(() => kill('SIGTERM'))
  const running = stack.move()
  return {
    address,
    get pid() {
      return child.pid!
    },
    directory,
    configFile,
    systems,
    async issueKey(...args) {
      const kind = args.length > 0 ? args : [...PUBLISHABLE, '--rate-per-client', '600']
      const { code, stdout, stderr } = await cli('keys', 'issue', '--config', configFile, '--merchant', 'acme', ...kind)
      const key = stdout.match(/^svc_\S+/)?.[0]
      if (code !== 0 || !key) throw new Error(`keys issue failed: ${stdout}${stderr}`)
      return key
    },
    cli,
    cliWith,
    kill,
    restart: start,
    residentBytes: async () =>
      Number((await readFile(`/proc/${child.pid}/status`, 'utf8')).match(/VmRSS:\s+(\d+)/)![1]) * 1_024,
    openFiles: async () => readdir(`/proc/${child.pid}/fd`).then((files) => files.length),
    readBytes: async () => Number(/rchar: (\d+)/.exec(await readFile(`/proc/${child.pid}/io`, 'utf8'))![1]),
    log: () => readFile(logFile, 'utf8'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function toConfigFile(directory: string, systems: SandboxSystems, options: ServerOptions): object {
  const system = (name: keyof SandboxSystems) => ({
    adapter: 'rest',
    address: `${systems[name].address}/acme`,
    token: 'sandbox',
    limits: { timeout_ms: 30_000 },
  })
  const sandbox = { inventory: system('inventory'), pricing: system('pricing'), accounting: system('accounting') }
  const acme = {
    name: 'Acme Parts',
    currency: 'JMD',
    time_zone: 'America/Jamaica',
    live: {},
    sandbox,
    ...options.merchant,
  }
  // The default operations port may be another server's.
  const operations = options.operations ?? { enabled: false }
  return {
    store: `sqlite:${join(directory, 'forecourt.db')}`,
    data: directory,
    operations,
    deadline_ms: 40_000,
    ...options.config,
    merchants: { acme },
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

const isHealthy = (address: string) =>
  fetch(`${address}/health`, { signal: AbortSignal.timeout(60_000) }).then(
    (reply) => reply.ok,
    () => false,
  )

async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<CommandResult> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? -1, stdout, stderr }
}
