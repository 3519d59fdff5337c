import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nodeFlags } from '../../src/operations/node-flags.ts'
import { fastStart } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import type { SandboxSystems } from '../support/sandbox-systems.ts'

const main = resolve(import.meta.dirname, '../../src/main.ts')

/** One of several API processes on a store. It can be killed and restarted at the same address. */
export interface ApiServerProcess {
  address: string
  readonly pid: number
  /** The file of what all its processes log. */
  log: string
  /** Kills the process with SIGKILL, even while it starts, and starts a new one. */
  kill(): Promise<void>
  stop(): Promise<void>
  readonly kills: number
}

/** Writes the configuration of merchant acme, whose sandbox mode uses account `acme` of these systems. */
export async function writeConfig(
  directory: string,
  store: string,
  systems: Record<keyof SandboxSystems, { address: string }>,
  more: object = {},
): Promise<string> {
  const systemConfig = (system: keyof SandboxSystems) => ({
    adapter: 'rest',
    address: `${systems[system].address}/acme`,
    token: 'sandbox',
    // Long: only placeOrder hangs, and checkout has its own limit for it.
    limits: { timeout_ms: 30_000, concurrency: 64, queue: 256 },
  })
  const sandbox = {
    inventory: systemConfig('inventory'),
    pricing: systemConfig('pricing'),
    accounting: systemConfig('accounting'),
  }
  const acme = { name: 'Acme Parts', currency: 'JMD', time_zone: 'America/Jamaica', live: {}, sandbox }
  const file = join(directory, 'forecourt.yaml')
  // The default operations port may collide with another server.
  const operations = { enabled: false }
  // JSON is YAML too.
  await writeFile(
    file,
    JSON.stringify({ store, data: directory, operations, deadline_ms: 40_000, merchants: { acme }, ...more }),
  )
  return file
}

export async function startApiServer(
  config: string,
  directory: string,
  more: Record<string, string> = {},
): Promise<ApiServerProcess> {
  const port = await freePort()
  const logFile = join(directory, `server-${port}.log`)
  const log = openSync(logFile, 'a')
  let child: ChildProcess | undefined
  /** The process was killed, and no other one was started yet. */
  let isDown = false
  let kills = 0
  let stopping = false
  const address = `http://127.0.0.1:${port}`

  async function startProcess(): Promise<void> {
    const env = { ...process.env, ...fastStart, PORT: String(port), FORECOURT_DATA: directory, ...more }
    const started = spawn(process.execPath, [...nodeFlags, main, 'serve', '--config', config], {
      env,
      stdio: ['ignore', log, log],
    })
    child = started
    isDown = false
    const exited = once(started, 'exit')
    while (started.exitCode === null && started.signalCode === null) {
      const isHealthy = await fetch(`${address}/health`, { signal: AbortSignal.timeout(60_000) }).then(
        (reply) => reply.ok,
        () => false,
      )
      if (isHealthy) return
      await Promise.race([pause(10), exited])
    }
    if (started.signalCode === 'SIGKILL') return
    const lastLines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5).join('\n')
    throw new Error(
      `an API process exited with ${started.exitCode} while it was starting; its log ends with:\n${lastLines}`,
    )
  }

  async function stopProcess(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  await startProcess()
  return {
    address,
    log: logFile,
    get pid() {
      return child!.pid!
    },
    get kills() {
      return kills
    },
    async kill() {
      if (stopping || isDown) return
      kills += 1
      isDown = true
      await stopProcess('SIGKILL')
      await startProcess()
    },
    async stop() {
      stopping = true
      await stopProcess('SIGTERM')
    },
  }
}
