import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** The way to a server, which can be cut and mended while both ends stay up. */
export interface TcpProxy extends AsyncDisposable {
  port: number
  /** Ends every connection, and refuses new ones. */
  cut(): Promise<void>
  mend(): Promise<void>
  /** Lets nothing through on the connections that there are, without ending them. */
  silence(): void
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let server: Server
  let at = 0

  async function mend(): Promise<void> {
    server = createServer((near) => {
      const far = connect(port, host)
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one)
        one.on('error', () => {})
        one.on('close', () => other.destroy())
        one.pipe(other)
      }
    })
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
    at = (server.address() as AddressInfo).port
  }

  async function cut(): Promise<void> {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }

  function silence(): void {
    for (const socket of sockets) socket.unpipe().pause()
  }

  await mend()
  return { port: at, cut, mend, silence, [Symbol.asyncDispose]: cut }
}
