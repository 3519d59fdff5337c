import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createErrorCodesPage } from '../../routes/meta/reference/error-codes-page.ts'
import { createEventTypesPage } from '../../routes/meta/reference/event-types-page.ts'

/** `npm run docs:pages`: writes the pages in docs/ that are made from tables in the code. */

export const docsFolder = resolve(import.meta.dirname, '../../../docs')

/** Returns the texts of the generated pages by their names. */
export const createDocPages = (): Record<string, string> => ({
  'errors.md': `# Error codes\n\n${createErrorCodesPage()}`,
  'events.md': `# Event reference\n\n${createEventTypesPage()}`,
})

if (import.meta.main)
  for (const [name, text] of Object.entries(createDocPages())) writeFileSync(join(docsFolder, name), text)
