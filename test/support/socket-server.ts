import { createServer, type Socket } from 'node:net'
import { listenAndCount } from './listen-and-count.ts'

export interface SocketServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  url: string
  port: number
  /** The total of TCP connections. */
  connections(): number
}

/** Starts a server that hands out its connections as raw TCP sockets. */
export async function startSocketServer(onConnection: (socket: Socket) => void): Promise<SocketServer> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    onConnection(socket)
  })
  const { port, connections, close } = await listenAndCount(server)
  return { url: `http://127.0.0.1:${port}`, port, connections, [Symbol.asyncDispose]: close }
}
