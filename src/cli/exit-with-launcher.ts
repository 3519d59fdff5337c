import { printError } from './print.ts'

/** The name that src/bin/forecourt.js gives to this process. */
const LAUNCHED_NAME = 'forecourt'

/** Returns true when the launcher started this process: channels of other parents carry other messages. */
export const hasLauncher = (): boolean => process.argv0 === LAUNCHED_NAME

/**
 * Ends this process when the launcher (src/bin/forecourt.js) is killed. Whoever kills the launcher means the server, and the next server needs
 * the ports. The launcher holds the other end of an IPC channel, which the operating system closes with it.
 */
export function exitWithLauncher(): void {
  if (!hasLauncher()) return
  const exit = () => {
    printError('forecourt: the launcher was killed, so this process ends too.')
    process.exit(1)
  }
  // It may have been killed while this process was loading.
  if (!process.connected) exit()
  process.on('disconnect', exit)
  // The channel does not keep a finished command running.
  process.channel?.unref()
}
