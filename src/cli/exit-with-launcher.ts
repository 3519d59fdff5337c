import { printError } from './print.ts'

/** What src/bin/forecourt.js calls this process. */
const LAUNCHED = 'forecourt'

/**
 * Ends this process as soon as the launcher (src/bin/forecourt.js) has gone without a word: who killed it means the server, and whoever starts
 * the next one needs its ports. It holds the other end of a channel, which the system closes with it. Other channels are somebody else's.
 */
export function exitWithLauncher(): void {
  if (process.argv0 !== LAUNCHED || process.channel === undefined) return
  process.on('disconnect', () => {
    printError('forecourt: what started this process has been killed; it ends as well.')
    process.exit(1)
  })
  // A command that is done ends by itself.
  process.channel.unref()
}
