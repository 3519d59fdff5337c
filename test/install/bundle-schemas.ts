import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes the schemas of some kinds, each in one file: kubeconform does not resolve their references to another file. Returns its --schema-location. */
export async function bundleSchemas(from: string, to: string, names: readonly string[]): Promise<string> {
  const { $defs } = await readSchema(from, '_definitions')
  await mkdir(to, { recursive: true })
  for (const name of names) {
    const { $id, ...schema } = await readSchema(from, name)
    await writeFile(join(to, `${name}.json`), JSON.stringify({ ...schema, $defs }))
  }
  return join(to, '{{.ResourceKind}}{{.KindSuffix}}.json')
}

async function readSchema(folder: string, name: string): Promise<Record<string, unknown>> {
  const text = await readFile(join(folder, `${name}.json`), 'utf8')
  return JSON.parse(text.replaceAll(/"(?:[^"#]*\/)?_definitions\.json#/g, '"#'))
}
