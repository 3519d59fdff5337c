import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { nodeFlags } from '../../src/operations/node-flags.ts'
import { type CorePlacement, toTasksetCommand } from './core-placement.ts'

const START_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 5_000

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

export interface SpawnedSystem<Ready> extends AsyncDisposable {
  pid: number
  ready: Ready
  /** Sends a message and waits for the reply; one at a time. */
  request<T>(message: object): Promise<T>
}

/** Starts a file of `bench/systems` as a process on a core, and waits until it is ready. */
export async function spawnSystem<Ready>(
  file: string,
  input: object,
  placement: CorePlacement = 'tested',
): Promise<SpawnedSystem<Ready>> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const [command, ...args] = [...toTasksetCommand(placement), process.execPath, ...nodeFlags, path]
  const child = spawn(command!, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  children.add(child)
  child.once('exit', () => children.delete(child))
  const ready = nextMessage<Ready>(child, file, START_TIMEOUT_MS)
  child.send(input)
  return {
    pid: child.pid!,
    ready: await ready,
    async request<T>(message: object, timeoutMs = 600_000) {
      const reply = nextMessage<{ answer: T }>(child, file, timeoutMs)
      child.send(message)
      return (await reply).answer
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      if (child.connected) child.disconnect()
      const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await exited
      clearTimeout(killTimer)
    },
  }
}

function nextMessage<T>(child: ChildProcess, file: string, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      settle()
    }
    const onMessage = (message: unknown) => done(() => resolve(message as T))
    const onExit = (code: number | null) => done(() => reject(new Error(`${file} exited with code ${code}`)))
    const timer = setTimeout(
      () => done(() => reject(new Error(`${file} did not reply within ${timeoutMs} ms`))),
      timeoutMs,
    )
    child.once('message', onMessage)
    child.once('exit', onExit)
  })
}
