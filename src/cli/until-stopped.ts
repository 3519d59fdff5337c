import { printError } from './print.ts'

/** A terminal and npm both pass Ctrl-C on: the same press arrives twice within moments. */
const SAME_PRESS_MS = 500

/** Resolves at the first SIGINT or SIGTERM. A later one, while things are being put away, ends the process at once. */
export function untilStopped(): Promise<NodeJS.Signals> {
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
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
