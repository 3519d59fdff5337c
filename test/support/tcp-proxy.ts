import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy whose connection can be cut and restored while client and server stay up. */
export interface TcpProxy extends AsyncDisposable {
  port: number
  /** The number of connections that were accepted. */
  readonly accepted: number
  /** Closes every connection, and refuses new ones. */
  cut(): Promise<void>
  restore(): Promise<void>
  /** Stops forwarding on the open connections, without closing them. */
  silence(): void
}

/** Forwards connections to a server. Listens on the loopback address, or on another one of this machine. */
export async function startTcpProxy(host: string, port: number, listenHost = '127.0.0.1'): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let server: Server
  let listeningPort = 0
  let accepted = 0

  async function restore(): Promise<void> {
    server = createServer((client) => {
      accepted += 1
      const upstream = connect(port, host)
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(from)
        from.on('error', () => {})
        from.on('close', () => to.destroy())
        from.pipe(to)
      }
    })
    server.listen(listeningPort, listenHost)
    await once(server, 'listening')
    listeningPort = (server.address() as AddressInfo).port
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

  await restore()
  return {
    port: listeningPort,
    get accepted() {
      return accepted
    },
    cut,
    restore,
    silence,
    [Symbol.asyncDispose]: cut,
  }
}
