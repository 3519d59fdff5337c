import { ignoreClosedOutput, printError } from './print.ts'

/** A terminal and npm both pass Ctrl-C on: one press arrives twice within moments. */
const SAME_PRESS_MS = 500

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP (a closed terminal). Call it before anything is opened. A later signal, during shutdown, ends
 * the process at once. From the call on, closed output does not end the process.
 */
export function waitForShutdownSignal(): Promise<NodeJS.Signals> {
  ignoreClosedOutput()
  return new Promise((resolve) => {
    let firstSignalAt = 0
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstSignalAt === 0) {
        firstSignalAt = Date.now()
        resolve(signal)
      } else if (Date.now() - firstSignalAt > SAME_PRESS_MS) {
        printError('Stopped without waiting.')
        process.exit(130)
      }
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  })
}

/** Calls `reload` at each SIGHUP from now on, instead of shutting down. At a terminal, SIGHUP still means that the terminal was closed. */
export function onHangup(reload: () => void): void {
  if (!process.stdin.isTTY) process.removeAllListeners('SIGHUP').on('SIGHUP', reload)
}
