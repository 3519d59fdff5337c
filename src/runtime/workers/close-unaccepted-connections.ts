import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:cluster'

/** A connection that node:cluster sends to a worker. */
interface ConnectionHandle {
  close(...parameters: unknown[]): void
}

interface ClusterMessage {
  act?: string
  /** The number of a message. */
  seq?: number
  /** The number of the message that this one answers. */
  ack?: number
  accepted?: boolean
}

/** The message that sent a connection to a worker which has not answered yet. */
interface Sent {
  child: ChildProcess
  seq: number | undefined
}

const unanswered = new Map<ConnectionHandle, Sent>()

/**
 * Closes the connections that were sent to a worker and that it had not answered when it ended. node:cluster drops them without closing them, and
 * their clients would wait until they time out. A worker that is shutting down declines a connection: node:cluster then sends it to another one, or
 * keeps it until another one is free.
 */
export function closeUnacceptedConnections({ process: child }: Worker): void {
  const send = child.send
  child.send = (message: ClusterMessage, handle: unknown, ...others: unknown[]): boolean => {
    if (message.act === 'newconn' && handle) track(handle as ConnectionHandle, { child, seq: message.seq })
    return Reflect.apply(send, child, [message, handle, ...others])
  }
  const forget = ({ ack, accepted }: ClusterMessage): void => {
    if (accepted !== false) return
    for (const [handle, sent] of unanswered) if (sent.child === child && sent.seq === ack) unanswered.delete(handle)
  }
  // Before node:cluster sends the connection to another worker.
  child.prependListener('internalMessage', forget)
  child.once('exit', () => {
    for (const [handle, sent] of unanswered) if (sent.child === child) handle.close()
  })
}

/** Connections whose handles forget themselves when they are closed. */
const tracked = new WeakSet<ConnectionHandle>()

/** node:cluster closes its handle of a connection when a worker has accepted it. */
function track(handle: ConnectionHandle, sent: Sent): void {
  if (!tracked.has(handle)) {
    tracked.add(handle)
    const close = handle.close
    handle.close = (...parameters) => {
      unanswered.delete(handle)
      Reflect.apply(close, handle, parameters)
    }
  }
  unanswered.set(handle, sent)
}
