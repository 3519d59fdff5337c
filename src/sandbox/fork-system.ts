import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SandboxSystem } from './protocol/operation-handlers.ts'

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
  onExit: ((report: SystemExit) => void) | undefined
}

/** One system as a process, once it answers. It has a process group of its own, so that Ctrl-C reaches the parent alone. */
export async function forkSystem(options: ForkSystemOptions): Promise<SystemProcess> {
  const child = fork(new URL('system-main.ts', import.meta.url), argumentsOf(options), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
    // Compiled code is kept, which halves a start; nothing else of our environment, with its secrets, goes along.
    env: { NODE_COMPILE_CACHE: join(options.directory, '.compiled') },
  })
  child.send({ token: options.token ?? 'sandbox' })
  const exited = once(child, 'exit')
  const { system, address, controlAddress } = await firstLine(child, options)
  const pid = child.pid!
  let stopping = false
  child.once('exit', (code, signal) => {
    if (!stopping) options.onExit?.({ system, pid, code, signal })
  })
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    stopping = true
    child.kill('SIGTERM')
    // One that was frozen with SIGSTOP must run to end.
    if (process.platform !== 'win32') child.kill('SIGCONT')
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
    await exited
    clearTimeout(timer)
  }
  return { system, pid, address, controlAddress, stop }
}

function argumentsOf({ system, directory, accounts, port, controlPort, host }: ForkSystemOptions): string[] {
  const pairs = { system, directory, accounts: accounts.join(','), port, 'control-port': controlPort, host }
  return Object.entries(pairs).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
}

async function firstLine(child: ChildProcess, { system, port }: ForkSystemOptions): Promise<SystemProcess> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const said = JSON.parse(line)
    if (!said.error) {
      child.stdout!.resume()
      return said
    }
    if (said.error.code === 'EADDRINUSE') {
      const taken = said.error.port ?? port
      throw new Error(
        `port ${taken} for the sandbox's ${system} system is taken: stop what listens there, or choose other ports (--sandbox-port <first>: three from there on, and three a hundred above)`,
      )
    }
    throw new Error(`the sandbox's ${system} system did not start: ${said.error.message}`)
  }
  throw new Error(`the sandbox's ${system} system ended before it was ready`)
}
