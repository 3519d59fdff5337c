import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'

export interface ConnectionLimit {
  /** Admits a new connection, and closes idle ones when the limit is reached. When all are busy, closes the new one and returns false. */
  admit(socket: Socket): boolean
  /** Follows a TLS connection instead of the admitted one that it encrypts: requests and unread bytes belong to it. */
  followSecure(socket: Socket): void
  /** Records which connections are active. When unread responses exceed the limit, closes the connections with the oldest. Call it regularly. */
  sweep(): void
  /** Runs a function that destroys connections, and keeps it from those whose clients have not received all bytes of their responses. */
  protectUnread(destroyIdle: () => void): void
}

export interface ConnectionLimits {
  maxConnections: number
  /** Bytes of responses, on all connections together, that clients have not read yet and the operating system does not buffer. */
  maxUnreadBytes: number
}

interface Activity {
  bytesRead: number
  /** The number of the next sweep when the connection last received bytes. */
  activeAt: number
  /** The number of the sweep that first saw unread bytes. */
  unreadSince: number | null
}

/** The share of the connections that is closed at once: finding the idle ones takes time. */
const CLOSED_SHARE = 0.01

export function createConnectionLimit({ maxConnections, maxUnreadBytes }: ConnectionLimits): ConnectionLimit {
  const connections = new Map<Socket, Activity>()
  let sweeps = 0
  const close = (socket: Socket) => {
    connections.delete(socket)
    socket.destroy()
  }
  const add = (socket: Socket) => {
    connections.set(socket, { bytesRead: 0, activeAt: sweeps, unreadSince: null })
    socket.once('close', () => connections.delete(socket))
  }
  const closeIdle = () => {
    const idle = [...connections].filter(([socket]) => !isResponding(socket))
    const oldest = idle.sort(([, one], [, other]) => one.activeAt - other.activeAt)
    for (const [socket] of oldest.slice(0, Math.ceil(maxConnections * CLOSED_SHARE))) close(socket)
  }
  return {
    admit(socket) {
      if (connections.size >= maxConnections) closeIdle()
      if (connections.size >= maxConnections) {
        socket.destroy()
        return false
      }
      add(socket)
      return true
    },
    followSecure(socket: Socket & { _parent?: Socket }) {
      if (socket._parent) connections.delete(socket._parent)
      add(socket)
    },
    protectUnread(destroyIdle) {
      const unread: Partial<Socket>[] = [...connections.keys().filter(({ writableLength }) => writableLength > 0)]
      for (const socket of unread) socket.destroy = () => socket as Socket
      destroyIdle()
      for (const socket of unread) delete socket.destroy
    },
    sweep() {
      sweeps += 1
      let excess = -maxUnreadBytes
      for (const [socket, activity] of connections) {
        note(socket, activity, sweeps)
        excess += socket.writableLength
      }
      if (excess <= 0) return
      const unread = [...connections].filter(([, { unreadSince }]) => unreadSince !== null)
      for (const [socket] of unread.sort(([, one], [, other]) => one.unreadSince! - other.unreadSince!)) {
        if (excess <= 0) return
        excess -= socket.writableLength
        close(socket)
      }
    },
  }
}

function note(socket: Socket, activity: Activity, sweep: number): void {
  if (activity.bytesRead !== socket.bytesRead) {
    activity.bytesRead = socket.bytesRead
    activity.activeAt = sweep
  }
  activity.unreadSince = socket.writableLength > 0 ? (activity.unreadSince ?? sweep) : null
}

/** Returns true while the response to a request on the connection is being prepared or sent. */
function isResponding(socket: Socket & { _httpMessage?: object | null }): boolean {
  return Boolean(socket._httpMessage)
}

/** The share of the file descriptors for connections; the rest is for the store, the log and the upstream systems. */
const CONNECTIONS_SHARE = 0.75

/** Returns how many connections the limit of open files allows; Infinity where it cannot be read. */
export function readConnectionCapacity(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? Number.POSITIVE_INFINITY : Math.floor(Number(soft) * CONNECTIONS_SHARE)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
