import { ignoreClosedOutput, printError } from './print.ts'

/** A terminal and npm both pass Ctrl-C on: the same press arrives twice within moments. */
const SAME_PRESS_MS = 500

/**
 * Resolves at the first SIGINT, SIGTERM or SIGHUP (a terminal that was closed): ask before anything is open. A later one, while things are
 * being put away, ends the process at once. A reader of what is printed who goes ends nothing from then on.
 */
export function waitForShutdownSignal(): Promise<NodeJS.Signals> {
  ignoreClosedOutput()
  return new Promise((resolve) => {
    let firstAt = 0
    const stop = (signal: NodeJS.Signals) => {
      if (firstAt === 0) {
        firstAt = Date.now()
        resolve(signal)
      } else if (Date.now() - firstAt > SAME_PRESS_MS) {
        printError('Stopped without waiting.')
        process.exit(130)
      }
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  })
}
