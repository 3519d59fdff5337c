import { hasLauncher } from './exit-with-launcher.ts'
import { ignoreClosedOutput, printError } from './print.ts'

/** A terminal and npm both pass Ctrl-C on: one press arrives twice within moments. */
const SAME_PRESS_MS = 500

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP (a closed terminal), with the reason for the log: the signal, or what the launcher
 * (src/bin/pinned-node.js) says of the one that it sends by itself. Call it before anything is opened. A later signal, during shutdown, ends
 * the process at once. From the call on, closed output does not end the process.
 */
export function waitForShutdownSignal(): Promise<string> {
  ignoreClosedOutput()
  let reason: string | undefined
  if (hasLauncher()) {
    process.on('message', (message: { shutdown?: string } | null) => {
      reason = message?.shutdown
    })
    // The channel does not keep a finished command running.
    process.channel?.unref()
  }
  return new Promise((resolve) => {
    let firstSignalAt = 0
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstSignalAt === 0) {
        firstSignalAt = Date.now()
        resolve(reason ?? signal)
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
