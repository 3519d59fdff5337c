import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generatedFolder } from './generate.ts'
import { type ForecourtKeys, recordOutcomes } from './record-outcomes.ts'

/** `npm run client:record -- --url … --publishable … --secret …`: records the outcomes of a running demo for the MSW handlers. */

const text = { type: 'string', default: '' } as const
const { values } = parseArgs({ options: { url: text, publishable: text, secret: text } })
const recorded = await recordOutcomes(values satisfies ForecourtKeys)
const names = Object.keys(recorded).map((name) => `'${name}'`)
const lines = [
  '// This file is recorded from the sandbox by `npm run client:record`.',
  `export type OutcomeName = ${names.join(' | ')}`,
  '',
  `export const recordedOutcomes = ${JSON.stringify(recorded, null, 1)}`,
  '',
]
writeFileSync(join(generatedFolder, 'msw-outcomes.gen.ts'), lines.join('\n'))
