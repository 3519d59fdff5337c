/** Prints to the user of a command. Logs are written elsewhere. */
export const print = (text = '') => void process.stdout.write(`${text}\n`)
export const printError = (text: string) => void process.stderr.write(`${text}\n`)
export const printJson = (value: unknown) => print(JSON.stringify(value, null, 2))

let isClosedOutputIgnored = false

/** Makes closed output harmless from now on: a server continues when nobody reads what it prints. */
export const ignoreClosedOutput = (): void => {
  isClosedOutputIgnored = true
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isClosedOutputIgnored) return
  // A reader that stops early (`| head`) is not a failure.
  if (error.code === 'EPIPE') process.exit(0)
  printError(`forecourt: could not print everything (${error.message})`)
  process.exit(1)
})
// There is no stream left to report to.
process.stderr.on('error', () => {})
