/** Writes a text and a line break to the standard output. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`)
