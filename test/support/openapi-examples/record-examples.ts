import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { collectExamples } from './collect-examples.ts'
import { startDemo } from './running-demo.ts'
import { tidyExample } from './tidy-example.ts'

const folder = join(import.meta.dirname, '../../../src/http/openapi/examples')

/** Writes the examples of the OpenAPI document anew: `node src/bin/pinned-node.js test/support/openapi-examples/record-examples.ts`. */
async function recordExamples(): Promise<void> {
  await using demo = await startDemo()
  const { operations, events } = await collectExamples(demo)
  const files = [
    ...[...operations].map(([operationId, example]) => [`${operationId}.json`, example] as const),
    ...[...events].map(([type, event]) => [`events/${type}.json`, event] as const),
  ]
  for (const [name, example] of files) {
    const file = join(folder, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, `${JSON.stringify(tidyExample(example, demo), null, 2)}\n`)
  }
}

await recordExamples()
