import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandResult } from './command.ts'
import type { CommandJob } from './command-host.ts'

// The process of command-host.ts.

const main = pathToFileURL(resolve(import.meta.dirname, '../../src/main.ts')).href
const { setTimeout: later } = globalThis
let turn = 0

/** What is thrown where a process would have ended. */
class Ended extends Error {}

async function ran({ args, cwd, env }: CommandJob): Promise<CommandResult> {
  const heard = { out: '', err: '' }
  let code: number | undefined
  const hear = (which: 'out' | 'err') => (text: string | Uint8Array) => {
    if (code === undefined) heard[which] += typeof text === 'string' ? text : Buffer.from(text).toString()
    return true
  }
  process.stdout.write = hear('out')
  process.stderr.write = hear('err')
  process.exit = ((given?: number) => {
    code ??= Number(given ?? process.exitCode ?? 0)
    throw new Ended()
  }) as typeof process.exit
  const timers: NodeJS.Timeout[] = []
  globalThis.setTimeout = Object.assign((...how: Parameters<typeof later>) => {
    const timer = later(...how)
    timers.push(timer)
    return timer
  }, later) as typeof later

  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.argv[0]!, main, ...args]
  process.exitCode = undefined
  // The program reads its arguments as it is loaded, and has been when the command is done.
  await import(`${main}?turn=${turn++}`).catch((error: unknown) => {
    if (!(error instanceof Ended)) heard.err += String(error)
  })
  code ??= Number(process.exitCode ?? 0)

  process.exitCode = undefined
  for (const timer of timers) clearTimeout(timer)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal)
  return { code, signal: null, ...heard }
}

let busy = false
process.on('message', async (job: CommandJob) => {
  busy = true
  const told = await ran(job)
  busy = false
  process.send!(told)
})
// What a command left at work would have ended with its process.
process.on('uncaughtException', () => {
  if (busy) process.kill(process.pid, 'SIGKILL')
})
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
