import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { SandboxSystem } from './protocol/upstream-protocol.ts'
import { startSystem } from './start-system.ts'

/** Runs one system of the embedded back office in its own process. Writes one JSON line to stdout when it is ready or has failed. */
const { values } = parseArgs({
  options: {
    system: { type: 'string' },
    directory: { type: 'string' },
    accounts: { type: 'string' },
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    'public-url': { type: 'string' },
  },
})

function writeLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** Receives the token as a message, so that process lists do not show it. */
async function receiveToken(): Promise<string> {
  const [{ token }] = await once(process, 'message')
  return token
}

// A parent that was killed cannot stop this process. It may have been killed while this process was loading.
let exit = (): void => process.exit()
process.on('disconnect', () => exit())
if (!process.connected) exit()
process.stdout.on('error', () => exit())

try {
  const running = await startSystem({
    system: values.system as SandboxSystem,
    directory: values.directory ?? 'data/sandbox',
    accounts: (values.accounts ?? 'demo').split(','),
    port: Number(values.port),
    controlPort: Number(values['control-port']),
    token: await receiveToken(),
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
  exit = stop
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  writeLine({ system, pid: process.pid, address, controlAddress })
} catch (error) {
  const { message, code, port } = error as Error & { code?: string; port?: number }
  writeLine({ error: { message, code, port } })
  process.exitCode = 1
  if (process.connected) process.disconnect?.()
}
