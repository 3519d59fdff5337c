import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:cluster'

/** A connection that node:cluster sends to a worker. */
interface ConnectionHandle {
  close(...parameters: unknown[]): void
}

/** The worker that each connection was sent to, until the worker accepts it. If the worker is shutting down, node:cluster sends it to another one. */
const owners = new Map<ConnectionHandle, ChildProcess>()

/**
 * Closes the connections that were sent to a worker and that it had not accepted when it ended. node:cluster drops them without closing them, and
 * their clients would wait until they time out.
 */
export function closeUnacceptedConnections({ process: child }: Worker): void {
  const send = child.send
  child.send = (message: { act?: string }, handle: unknown, ...others: unknown[]): boolean => {
    if (message.act === 'newconn' && handle) track(handle as ConnectionHandle, child)
    return Reflect.apply(send, child, [message, handle, ...others])
  }
  child.once('exit', () => {
    for (const [handle, owner] of owners) if (owner === child) handle.close()
  })
}

/** node:cluster closes its handle of a connection when a worker has accepted it. */
function track(handle: ConnectionHandle, child: ChildProcess): void {
  if (!owners.has(handle)) {
    const close = handle.close
    handle.close = (...parameters) => {
      owners.delete(handle)
      Reflect.apply(close, handle, parameters)
    }
  }
  owners.set(handle, child)
}
