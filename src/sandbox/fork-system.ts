import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SandboxSystem } from './protocol/upstream-protocol.ts'

const KILL_AFTER_MS = 3_000

export interface SystemProcess {
  system: SandboxSystem
  pid: number
  address: string
  controlAddress: string
  stop(): Promise<void>
}

export interface SystemExit {
  system: SandboxSystem
  pid: number
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ForkSystemOptions {
  system: SandboxSystem
  directory: string
  accounts: readonly string[]
  port: number
  controlPort: number
  token: string | undefined
  host: string | undefined
  onExit: ((exit: SystemExit) => void) | undefined
}

/** Starts one system as a process, and resolves when it responds. It has its own process group, so that Ctrl-C reaches only the parent. */
export async function forkSystem(options: ForkSystemOptions): Promise<SystemProcess> {
  // Compiled in the npm package, as this file is.
  const child = fork(new URL(`system-main${extname(import.meta.filename)}`, import.meta.url), commandLineOf(options), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
    // The compile cache halves the start time. The rest of our environment, with its secrets, is not passed on.
    env: { NODE_COMPILE_CACHE: compileCacheOf(options) },
  })
  child.send({ token: options.token ?? 'sandbox' })
  const exited = once(child, 'exit')
  const { system, address, controlAddress } = await readReadyLine(child, options)
  const pid = child.pid!
  let stopping = false
  child.once('exit', (code, signal) => {
    if (!stopping) options.onExit?.({ system, pid, code, signal })
  })
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    stopping = true
    child.kill('SIGTERM')
    // A process that was frozen with SIGSTOP must run to exit.
    if (process.platform !== 'win32') child.kill('SIGCONT')
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
    await exited
    clearTimeout(timer)
  }
  return { system, pid, address, controlAddress, stop }
}

/** This process's own, which has a folder for each version of Node. */
function compileCacheOf({ directory }: ForkSystemOptions): string {
  const ownFolder = getCompileCacheDir()
  return ownFolder === undefined ? join(directory, '.compiled') : dirname(ownFolder)
}

/** The error of a port that another program uses. */
export class SystemPortError extends Error {}

/** The error of a folder that cannot be written. */
export class SystemFilesError extends Error {
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}

/** Errors of the file system and of SQLite about files. A full disk and a limit of the file size are among them. */
const FILE_ERROR = /^(?:E[A-Z]+|ERR_SQLITE_ERROR)$/

function commandLineOf({ system, directory, accounts, port, controlPort, host }: ForkSystemOptions): string[] {
  const pairs = { system, directory, accounts: accounts.join(','), port, 'control-port': controlPort, host }
  return Object.entries(pairs).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}

async function readReadyLine(
  child: ChildProcess,
  { system, port, directory }: ForkSystemOptions,
): Promise<SystemProcess> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const message = JSON.parse(line)
    if (!message.error) {
      child.stdout!.resume()
      return message
    }
    if (message.error.code === 'EADDRINUSE') {
      const takenPort = message.error.port ?? port
      throw new SystemPortError(`port ${takenPort} of the sandbox's ${system} system is already in use`)
    }
    const problem = `the sandbox's ${system} system did not start: ${message.error.message}`
    if (FILE_ERROR.test(message.error.code) && !message.error.port)
      throw new SystemFilesError(
        problem,
        `Its files are in ${directory}: make that folder writable, free space on its disk, or set FORECOURT_DATA to a folder elsewhere`,
      )
    throw new Error(problem)
  }
  throw new Error(`the sandbox's ${system} system exited before it was ready`)
}
