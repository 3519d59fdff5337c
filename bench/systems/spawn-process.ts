import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { nodeFlags } from '../../src/operations/memory-limit.ts'

/** The core of the system under test, and that of everything else: load, upstreams, this process. */
const TESTED_CORE = '0'
const LOAD_CORE = '1'
const START_MS = 20_000

export const hasTaskset = spawnSync('taskset', ['-V']).error === undefined
const living = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

export interface SpawnedSystem<Ready> extends AsyncDisposable {
  pid: number
  ready: Ready
  /** Sends a message and waits for its answer; one at a time. */
  ask<T>(message: object): Promise<T>
}

export type CorePlacement = 'tested' | 'load'

/** Moves this process, and with it the children that are not placed themselves, to the core of the load. */
export function pinToLoadCore(): void {
  if (hasTaskset) spawnSync('taskset', ['-a', '-cp', LOAD_CORE, String(process.pid)])
}

/** Starts a file of `bench/systems` as a process of its own on its core, and waits until it is ready. */
export async function startSystem<Ready>(
  file: string,
  input: object,
  place: CorePlacement = 'tested',
): Promise<SpawnedSystem<Ready>> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const core = place === 'tested' ? TESTED_CORE : LOAD_CORE
  const [command, ...args] = [...(hasTaskset ? ['taskset', '-c', core] : []), process.execPath, ...nodeFlags, path]
  const child = spawn(command!, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  living.add(child)
  child.once('exit', () => living.delete(child))
  const ready = messageOf<Ready>(child, file, START_MS)
  child.send(input)
  return {
    pid: child.pid!,
    ready: await ready,
    async ask<T>(message: object, withinMs = 600_000) {
      const reply = messageOf<{ answer: T }>(child, file, withinMs)
      child.send(message)
      return (await reply).answer
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      if (child.connected) child.disconnect()
      const cut = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await gone
      clearTimeout(cut)
    },
  }
}

function messageOf<T>(child: ChildProcess, file: string, withinMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      settle()
    }
    const onMessage = (message: unknown) => done(() => resolve(message as T))
    const onExit = (code: number | null) => done(() => reject(new Error(`${file} ended with ${code}`)))
    const timer = setTimeout(() => done(() => reject(new Error(`${file} did not answer in ${withinMs} ms`))), withinMs)
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}
