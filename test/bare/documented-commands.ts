import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const docs = resolve(import.meta.dirname, '../../docs')

/** Returns the only shell block of a page that has this text. A changed page is a changed test. */
export function findCommands(page: string, text: string): string {
  const blocks = [...readFileSync(join(docs, page), 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block]) => block!,
  )
  const found = blocks.filter((block) => block.includes(text))
  if (found.length !== 1) throw new Error(`docs/${page} has ${found.length} shell blocks with: ${text}`)
  return found[0]!
}

/** Replaces each example value, which the commands must have, with the real one. */
export function fillIn(commands: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [example, value]) => {
    if (!text.includes(example)) throw new Error(`The commands of the docs do not have ${example}:\n${commands}`)
    return text.replaceAll(example, () => value)
  }, commands)
}
