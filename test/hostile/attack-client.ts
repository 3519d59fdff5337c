import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Opens a connection that ignores errors: the server may close it at any time. */
export async function openConnection(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname).on('error', () => {})
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** Opens a connection whose responses are never read, and writes to it. */
export async function writeWithoutReading(address: string, bytes: string | Uint8Array): Promise<Socket> {
  const socket = await openConnection(address)
  socket.pause()
  await new Promise<void>((resolve) => {
    socket.write(bytes, () => resolve())
    socket.once('close', () => resolve())
  })
  return socket
}
