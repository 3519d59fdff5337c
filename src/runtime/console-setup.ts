import type { OperationsConfig } from '../config/config.ts'
import { type ConsoleParts, createConsole } from '../console/console.ts'
import { startHttpServer } from '../http/server.ts'

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/
/** Longer than a live page is silent. */
const IDLE_MS = 60_000
/** Who is on call waits for nothing long: what they keep open must not hold the end of the process. */
const FINISH_MS = 1_000

/** Opens the operations pages on a listener of their own. Disposing ends live pages, then the listener. */
export async function startConsole({
  config,
  ...parts
}: Omit<ConsoleParts, 'config'> & { config: OperationsConfig }): Promise<{ address: string } & AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const pages = createConsole({ config, ...parts })
  if (!loopback.test(config.host) && !config.url?.startsWith('https:'))
    parts.logger.warn(
      'operations.host is open to other machines and operations.url is not https: passwords may be read on the way',
    )
  const setting = 'operations.port, or PORT which it follows,'
  const at = { host: config.host, port: config.port, setting, hostSetting: 'operations.host', logger: parts.logger }
  const { address } = stack.use(await startHttpServer(pages.handler, at, { idleTimeout: IDLE_MS, finishMs: FINISH_MS }))
  // Before the listener, which would wait for them.
  stack.use(pages)
  const open = stack.move()
  return { address, [Symbol.asyncDispose]: () => open.disposeAsync() }
}
