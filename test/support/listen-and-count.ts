import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

/** A server that listens on a free port of 127.0.0.1, and counts its connections. */
export interface CountedListener {
  port: number
  /** The total of TCP connections. */
  connections(): number
  /** Closes the server and all its connections. */
  close(): Promise<void>
}

export async function listenAndCount(server: Server): Promise<CountedListener> {
  const open = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
