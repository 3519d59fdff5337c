import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { toControlUrl } from '../../../src/cli/sandbox/control-target.ts'
import type { System } from '../../../src/ports/system.ts'
import { runCommand, startCommand } from '../command.ts'
import { freePort, freeSandboxPort } from '../free-port.ts'
import { until } from '../until.ts'

/** `npm start` in a process of its own, and an endpoint for its events. */
export interface RunningDemo extends AsyncDisposable {
  address: string
  publishableKey: string
  secretKey: string
  endpointUrl: string
  /** The last event of each type that the endpoint received. */
  received: ReadonlyMap<string, unknown>
  controlUrlOf(system: System): string
  /** Issues a key without a limit that a test reaches. */
  issueKey(kind: 'publishable' | 'secret'): Promise<string>
  /** Returns the code in the last email to an address, which the demo writes into its log. */
  readMailedCode(to: string, subject: RegExp): Promise<string>
}

export async function startDemo(): Promise<RunningDemo> {
  await using stack = new AsyncDisposableStack()
  const cwd = await mkdtemp(join(tmpdir(), 'forecourt-demo-'))
  stack.defer(() => rm(cwd, { recursive: true, force: true, maxRetries: 10 }))
  const received = new Map<string, unknown>()
  const endpointUrl = await startEndpoint(stack, received)
  const [port, sandboxPort] = [await freePort([0, 1]), await freeSandboxPort()]
  const command = startCommand(['start', '--sandbox-port', String(sandboxPort)], { cwd, env: { PORT: String(port) } })
  stack.defer(async () => {
    command.child.kill('SIGTERM')
    await command.ended
  })
  const [, publishableKey, secretKey] = await command.waitForOutput(/publishable key +(\S+)\s+secret key +(\S+)/)
  const running = stack.move()
  return {
    address: `http://127.0.0.1:${port}`,
    publishableKey: publishableKey!,
    secretKey: secretKey!,
    endpointUrl,
    received,
    controlUrlOf: (system) => toControlUrl(system, sandboxPort),
    issueKey: (kind) => issueKey(cwd, kind),
    readMailedCode: (to, subject) => readMailedCode(join(cwd, 'data/forecourt.log'), to, subject),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function issueKey(cwd: string, kind: 'publishable' | 'secret'): Promise<string> {
  const limits = ['--rate', '1000000', ...(kind === 'publishable' ? ['--rate-per-client', '1000000'] : [])]
  const args = ['keys', 'issue', '--merchant', 'demo', '--kind', kind, '--mode', 'sandbox', '--json', ...limits]
  return JSON.parse((await runCommand(args, { cwd })).out).key
}

async function startEndpoint(stack: AsyncDisposableStack, received: Map<string, unknown>): Promise<string> {
  const server = createServer(async (request, response) => {
    received.set(String(request.headers['x-service-event']), await json(request))
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stack.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/forecourt`
}

async function readMailedCode(logFile: string, to: string, subject: RegExp): Promise<string> {
  let code: string | undefined
  await until(`an email to ${to} is in the log`, async () => {
    const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.includes('"msg":"mail"'))
    const mails = lines.map((line) => JSON.parse(line) as { to: string; subject: string; text: string })
    const text = mails.findLast((mail) => mail.to === to && subject.test(mail.subject))?.text
    // In a line of its own, or in a link.
    code = text && /(?:^|=)([\w-]{40,})$/m.exec(text)?.[1]
    return code !== undefined
  })
  return code!
}
