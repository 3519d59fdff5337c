/** The command's words to its user. Logs go elsewhere. */
export const print = (text = '') => void process.stdout.write(`${text}\n`)
export const printError = (text: string) => void process.stderr.write(`${text}\n`)
export const printJson = (value: unknown) => print(JSON.stringify(value, null, 2))

let outliving = false

/** From now on nothing ends because nobody reads what is printed: a server is there for others. */
export const ignoreClosedOutput = (): void => {
  outliving = true
}

/** A reader that has seen enough (`| head`) is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (outliving) return
  if (error.code === 'EPIPE') process.exit(0)
  printError(`forecourt: not all could be printed (${error.message})`)
  process.exit(1)
})
// There is nobody left to tell.
process.stderr.on('error', () => {})
