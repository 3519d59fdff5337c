import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { SandboxSystem } from './protocol/operation-handlers.ts'
import { startSystem } from './start-system.ts'

/** Runs one system of the embedded back office as a process of its own: one JSON line on stdout when it is ready, or when it cannot be. */
const { values } = parseArgs({
  options: {
    system: { type: 'string' },
    directory: { type: 'string' },
    accounts: { type: 'string' },
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
    token: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    'public-url': { type: 'string' },
  },
})

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** A parent sends the token, so that no list of processes shows it. */
async function tokenFromParent(): Promise<string> {
  const [{ token }] = await once(process, 'message')
  return token
}

// The parent went away without a word: nobody is left to stop us.
let leave = (): void => process.exit()
process.on('disconnect', () => leave())
process.stdout.on('error', () => leave())

try {
  const running = await startSystem({
    system: values.system as SandboxSystem,
    directory: values.directory ?? 'data/sandbox',
    accounts: (values.accounts ?? 'demo').split(','),
    port: Number(values.port),
    controlPort: Number(values['control-port']),
    token: values.token ?? (process.connected ? await tokenFromParent() : 'sandbox'),
    host: values.host,
    ...(values['public-url'] !== undefined && { publicUrl: values['public-url'] }),
  })
  const { system, address, controlAddress } = running

  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    running.stop().then(() => process.exit(0))
  }
  leave = stop
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  say({ system, pid: process.pid, address, controlAddress })
} catch (error) {
  const { message, code, port } = error as Error & { code?: string; port?: number }
  say({ error: { message, code, port } })
  process.exitCode = 1
  if (process.connected) process.disconnect?.()
}
