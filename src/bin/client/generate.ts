import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { apiRoutes } from '../../routes/api-routes.ts'
import { createOpenApiDocument } from '../../routes/meta/build-openapi-document.ts'
import { createOperationTable, type OpenApiDocument } from './operation-table.ts'

/** `npm run client:generate`: writes the types and the operations of the client from the OpenAPI document. */

export const generatedFolder = resolve(import.meta.dirname, '../../client/generated')

/** Returns the texts of the generated files by their names. */
export async function generateClient(): Promise<Record<string, string>> {
  const document = createOpenApiDocument(apiRoutes) as OpenApiDocument & Record<string, unknown>
  return { 'types.gen.ts': await generateTypes(document), 'operations.gen.ts': createOperationTable(document) }
}

async function generateTypes(document: Record<string, unknown>): Promise<string> {
  // The generator needs the compiler as a library. TypeScript 7 is a program only.
  const hooks = registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-6' : specifier, context),
  })
  const { createClient } = await import('@hey-api/openapi-ts')
  hooks.deregister()
  const output = join(tmpdir(), `forecourt-client-${process.pid}`)
  try {
    await createClient({ input: document, output, plugins: ['@hey-api/typescript'], logs: { level: 'silent' } })
    return readFileSync(join(output, 'types.gen.ts'), 'utf8')
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generateClient())) writeFileSync(join(generatedFolder, name), text)
}
