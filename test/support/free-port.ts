import { createServer } from 'node:net'

/**
 * Below the ports that the system gives to clients: one that tries to reach a server which is just being killed could else be given
 * the server's own port, and hold it against the next one.
 */
const PORTS = { from: 12_000, to: 32_000 }

/** The first of ports that nothing listens on: at these offsets from it. */
export async function freePort(offsets: readonly number[] = [0]): Promise<number> {
  for (;;) {
    const first = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from))
    const free = await Promise.all(offsets.map((offset) => isFree(first + offset)))
    if (free.every(Boolean)) return first
  }
}

/** Three ports in a row, and the three for control a hundred above. */
export const freeSandboxPort = (): Promise<number> => freePort([0, 1, 2, 100, 101, 102])

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
