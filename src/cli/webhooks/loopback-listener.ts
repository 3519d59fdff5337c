import type { RequestListener } from 'node:http'
import { startHttpServer } from '../../http/server.ts'

export interface LoopbackListener extends AsyncDisposable {
  /** The ways to name this receiver to an API, the likeliest first. */
  urls: string[]
}

const setting = '--port'

/** On both addresses of this machine, as `localhost` may be either. */
export async function listenOnLoopback(handler: RequestListener, port: number): Promise<LoopbackListener> {
  await using stack = new AsyncDisposableStack()
  const { address } = stack.use(await startHttpServer(handler, { host: '127.0.0.1', port, setting }))
  const other = await startHttpServer(handler, { host: '::1', port, setting }).catch((error: Error) => {
    // A machine without IPv6 has no second address; one that somebody else listens on would get the events.
    if (((error.cause ?? error) as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error
    return null
  })
  if (other) stack.use(other)
  const held = stack.move()
  return { urls: [`${address}/`, `http://localhost:${port}/`], [Symbol.asyncDispose]: () => held.disposeAsync() }
}
