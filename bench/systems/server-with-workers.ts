import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { nodeFlags } from '../../src/operations/node-flags.ts'
import type { System } from '../../src/ports/system.ts'
import { cpuMs } from '../measure/process-usage.ts'
import { hasTaskset } from './core-placement.ts'

const main = resolve(import.meta.dirname, '../../src/main.ts')
const ALL_CORES = '0-1023'
const START_TIMEOUT_MS = 60_000
/** Above what the fastest machine serves in a minute. */
const RATE_LIMIT = 10_000_000

/** `forecourt serve` with workers, over the stub upstreams, on all cores. */
export interface ServerWithWorkers extends AsyncDisposable {
  address: string
  authorization: string
  /** The CPU time of the primary process, then of each worker, in milliseconds. */
  cpuMs(): number[]
}

export async function startServerWithWorkers(
  workers: number,
  upstreams: Record<System, string>,
  port: number,
): Promise<ServerWithWorkers> {
  await using stack = new AsyncDisposableStack()
  const directory = mkdtempSync(join(tmpdir(), 'forecourt-bench-'))
  stack.defer(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }))
  const config = join(directory, 'forecourt.yaml')
  writeFileSync(config, JSON.stringify(toConfigFile(directory, workers, upstreams, port)))
  const command = [process.execPath, ...nodeFlags, main]
  const issue = ['keys', 'issue', '--config', config, '--merchant', 'bench', '--kind', 'publishable', '--mode', 'live']
  const limits = ['--rate', String(RATE_LIMIT), '--rate-per-client', String(RATE_LIMIT), '--json']
  const issued = execFileSync(command[0]!, [...command.slice(1), ...issue, ...limits], { encoding: 'utf8' })
  const onAllCores = hasTaskset ? ['taskset', '-c', ALL_CORES, ...command] : command
  const child = spawn(onAllCores[0]!, [...onAllCores.slice(1), 'serve', '--config', config], { stdio: 'inherit' })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  stack.defer(async () => {
    process.off('exit', kill)
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const address = `http://127.0.0.1:${port}`
  const endsAt = performance.now() + START_TIMEOUT_MS
  while (
    !(await fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > endsAt) throw new Error('the server with workers did not start')
    await pause(50)
  }
  const running = stack.move()
  return {
    address,
    authorization: `Bearer ${JSON.parse(issued).key}`,
    cpuMs: () => [child.pid!, ...childrenOf(child.pid!)].map(cpuMs),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

function toConfigFile(data: string, workers: number, upstreams: Record<System, string>, port: number) {
  const at = (system: System) => ({ adapter: 'rest', address: upstreams[system], token: 'bench' })
  return {
    listen: { host: '127.0.0.1', port },
    operations: { enabled: false },
    workers,
    data,
    drain: { finish_seconds: 1 },
    log: { file: join(data, 'forecourt.log') },
    // The stubs list products without end.
    feed: { interval_seconds: 0 },
    merchants: {
      bench: {
        name: 'Bench',
        currency: 'JMD',
        time_zone: 'America/Jamaica',
        mirror: 'off',
        live: { inventory: at('inventory'), pricing: at('pricing'), accounting: at('accounting') },
      },
    },
  }
}
