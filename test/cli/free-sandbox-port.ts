import { createServer } from 'node:net'

/** Three ports in a row that nothing listens on, and the three for control a hundred above. */
export async function freeSandboxPort(): Promise<number> {
  const wanted = [0, 1, 2, 100, 101, 102]
  for (let first = 21_000 + (process.pid % 20_000); first < 60_000; first += 7) {
    const free = await Promise.all(wanted.map((offset) => isFree(first + offset)))
    if (free.every(Boolean)) return first
  }
  throw new Error('no free ports')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
