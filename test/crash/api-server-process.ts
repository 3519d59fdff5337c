import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nodeFlags } from '../../src/operations/memory-limit.ts'
import { freePort } from '../support/free-port.ts'
import type { SandboxSystems } from '../support/sandbox-systems.ts'

const main = resolve(import.meta.dirname, '../../src/main.ts')

/** One API process of several on a store, that is killed and started again at the same address. */
export interface ApiServerProcess {
  address: string
  /** SIGKILL, and a new process as soon as the old one is gone. */
  kill(): Promise<void>
  stop(): Promise<void>
  readonly kills: number
}

/** The configuration of merchant acme, whose sandbox is account `acme` of these systems. */
export async function writeConfig(
  directory: string,
  store: string,
  systems: SandboxSystems,
  more: object = {},
): Promise<string> {
  const at = (system: keyof SandboxSystems) => ({
    ...{ adapter: 'rest', address: `${systems[system].address}/acme`, token: 'sandbox' },
    // Long: what hangs is the ledger's placing alone, for which checkout has a limit of its own.
    limits: { timeout_ms: 30_000, concurrency: 64, queue: 256 },
  })
  const sandbox = { inventory: at('inventory'), pricing: at('pricing'), accounting: at('accounting') }
  const acme = { name: 'Acme Parts', currency: 'JMD', time_zone: 'America/Jamaica', live: {}, sandbox }
  const file = join(directory, 'forecourt.yaml')
  // Another server's port may be the one beside.
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
  const log = openSync(join(directory, `server-${port}.log`), 'a')
  let child: ChildProcess | undefined
  let kills = 0
  let stopping = false
  const address = `http://127.0.0.1:${port}`

  async function begin(): Promise<void> {
    const env = { ...process.env, PORT: String(port), FORECOURT_DATA: directory, ...more }
    child = spawn(process.execPath, [...nodeFlags, main, 'serve', '--config', config], {
      env,
      stdio: ['ignore', log, log],
    })
    const ended = once(child, 'exit')
    while (child.exitCode === null && child.signalCode === null) {
      const up = await fetch(`${address}/health`, { signal: AbortSignal.timeout(60_000) }).then(
        (reply) => reply.ok,
        () => false,
      )
      if (up) return
      await Promise.race([pause(10), ended])
    }
    throw new Error(`an API process ended while it was starting; its words are in ${directory}/server-${port}.log`)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  await begin()
  return {
    address,
    get kills() {
      return kills
    },
    async kill() {
      if (stopping) return
      kills += 1
      await end('SIGKILL')
      await begin()
    },
    async stop() {
      stopping = true
      await end('SIGTERM')
    },
  }
}
