import { createServer } from 'node:net'

/**
 * Below the ephemeral ports: a client that connects to a server that is being killed could otherwise get the server's own port, and
 * keep the next server from listening on it.
 */
const PORTS = { from: 12_000, to: 32_000 }

/** Returns a port such that nothing listens on it and its neighbours at these offsets. */
export async function freePort(offsets: readonly number[] = [0]): Promise<number> {
  for (;;) {
    const first = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from))
    const free = await Promise.all(offsets.map((offset) => isFree(first + offset)))
    if (free.every(Boolean)) return first
  }
}

/** Returns the first of three free ports in a row, with the three control ports a hundred above. */
export const freeSandboxPort = (): Promise<number> => freePort([0, 1, 2, 100, 101, 102])

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
