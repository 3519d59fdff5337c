import type { OperationsConfig } from '../config/config.ts'
import { isLoopbackHost } from '../config/special-hosts.ts'
import { type ConsoleParts, createConsole } from '../console/console.ts'
import { type HttpServer, startHttpServer } from '../http/server/server.ts'

/** Longer than the silence of a live page. */
const IDLE_TIMEOUT_MS = 60_000
/** Short: pages that an operator keeps open must not delay shutdown. */
const DRAIN_TIMEOUT_MS = 1_000

export interface ConsoleSetupParts extends Omit<ConsoleParts, 'config'> {
  config: OperationsConfig
}

export interface ConsoleListener extends Pick<HttpServer, 'address' | 'handOver'>, AsyncDisposable {}

/** Starts the console on its own listener. Disposing ends live pages, then the listener. */
export async function startConsole(parts: ConsoleSetupParts): Promise<ConsoleListener> {
  const { config, clients, logger } = parts
  await using stack = new AsyncDisposableStack()
  const pages = createConsole(parts)
  if (!isLoopbackHost(config.host) && !config.url?.startsWith('https:'))
    logger.warn(
      'operations.host accepts connections from other machines and operations.url is not https: passwords can be read in transit',
    )
  const { address, handOver } = stack.use(
    await startHttpServer(
      pages.handler,
      {
        host: config.host,
        port: config.port,
        portSetting: 'operations.port, or PORT which it follows,',
        hostSetting: 'operations.host',
        logger,
        onConnection: clients.remember,
      },
      { idleTimeoutMs: IDLE_TIMEOUT_MS, drainTimeoutMs: DRAIN_TIMEOUT_MS },
    ),
  )
  // Disposed before the listener, which would wait for live pages.
  stack.use(pages)
  const running = stack.move()
  return { address, handOver, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
