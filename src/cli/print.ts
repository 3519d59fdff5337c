/** The command's words to its user. Logs go elsewhere. */
export const print = (text = '') => void process.stdout.write(`${text}\n`)
export const printError = (text: string) => void process.stderr.write(`${text}\n`)
export const printJson = (value: unknown) => print(JSON.stringify(value, null, 2))

/** A reader that has seen enough (`| head`) is no failure. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
