import { readdirSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../files/make-folder.ts'

/** The outcome of a reload, for whoever asked for it. */
export interface ReloadReply {
  ok: boolean
  /** What was loaded, or why nothing was. */
  message: string
}

/** Unix limits the length of a socket's path. */
const MAX_PATH_BYTES = 103
const COMMAND = 'reload\n'
const COMMAND_TIMEOUT_MS = 5_000

/** Returns the path of the socket on which the primary process of a server takes commands. */
export const toControlPath = (dataDirectory: string, port: number): string =>
  join(dataDirectory, `control-${port}.sock`)

/** Returns the paths of the control sockets of a data directory on which servers take commands. */
export async function listControlSockets(dataDirectory: string): Promise<string[]> {
  const names = readdirSync(dataDirectory).filter((name) => /^control-\d+\.sock$/.test(name))
  const paths = names.toSorted().map((name) => join(dataDirectory, name))
  const inUse = await Promise.all(paths.map(isInUse))
  return paths.filter((_, index) => inUse[index])
}

/**
 * Takes `reload` on a Unix socket that only this account can open. Resolves to `null` when there is none: its path is too long, or another
 * server uses it. SIGHUP still works then.
 */
export async function openControlSocket(
  path: string,
  reload: () => Promise<ReloadReply>,
): Promise<AsyncDisposable | null> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || (await isInUse(path))) return null
  makeFolder(dirname(path), 0o700)
  rmSync(path, { force: true })
  const server = createServer((socket) => takeCommand(socket, reload))
  const umask = process.umask(0o177)
  const listening = new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  process.umask(umask)
  await listening
  server.unref()
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) }
}

function takeCommand(socket: Socket, reload: () => Promise<ReloadReply>): void {
  socket.setEncoding('utf8').setTimeout(COMMAND_TIMEOUT_MS, () => socket.destroy())
  socket.on('error', () => socket.destroy())
  let received = ''
  socket.on('data', (text: string) => {
    received += text
    if (received.length > COMMAND.length) return socket.destroy()
    if (received !== COMMAND) return
    socket.setTimeout(0)
    void reload().then((reply) => socket.end(JSON.stringify(reply)))
  })
}

/** Returns whether somebody accepts connections there. A server that was killed leaves its socket behind. */
function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

/** Asks the primary process of a server to load its configuration again. Resolves to `null` when none listens there. */
export function requestReload(path: string): Promise<ReloadReply | null> {
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = createConnection(path, () => socket.write(COMMAND))
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => {
      reply += text
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      code === 'ENOENT' || code === 'ECONNREFUSED'
        ? resolve(null)
        : reject(new Error(`The control socket ${path} cannot be used (${code}).`)),
    )
    socket.on('end', () => {
      if (reply === '') reject(new Error('The server ended before it had loaded its configuration.'))
      else resolve(JSON.parse(reply) as ReloadReply)
    })
  })
}
