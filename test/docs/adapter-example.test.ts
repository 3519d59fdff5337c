import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'

const root = resolve(import.meta.dirname, '../..')
const guide = await readFile(join(root, 'docs/adapters.md'), 'utf8')
const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code!)
const adapterCode = blocks.find((code) => code.includes('export const acme:'))!
const suiteCode = blocks.find((code) => code.includes("describeConformance('acme'"))!

/** Replaces the paths, which are relative to the places that the guide names. */
const fromRoot = (code: string) =>
  code
    .replaceAll("'../../adapters/acme/adapter.ts'", "'./adapter.ts'")
    .replaceAll("'../../src/", `'${root}/src/`)
    .replaceAll("'../adapters/", `'${root}/test/adapters/`)
    .replaceAll("'../support/", `'${root}/test/support/`)

const folder = await mkdtemp(join(tmpdir(), 'forecourt-adapter-example-'))
await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
await writeFile(join(folder, 'adapter.ts'), fromRoot(adapterCode))
const deferred = fromRoot(suiteCode).replace(
  "describeConformance('acme'",
  "export const run = () => describeConformance('acme'",
)
await writeFile(join(folder, 'suite.ts'), deferred)
const { run } = (await import(pathToFileURL(join(folder, 'suite.ts')).href)) as { run(): void }

describe('the example of the adapter guide', () => {
  let system: ScriptedUpstream

  before(async () => {
    const priced = ['A-1', 'A-2', 'A-3']
    system = await startScriptedUpstream((response, { body, headers }) => {
      expect(headers.authorization).to.equal('Bearer secret')
      const { codes, customer } = JSON.parse(body) as { codes: string[]; customer: string | null }
      if (customer !== null) return void response.writeHead(422).end('{"error":"no such customer"}')
      const rows = codes.filter((code) => priced.includes(code)).map((code) => ({ code, net: '10.00', unit: 'each' }))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows))
    })
    process.env.ACME_ADDRESS = system.address
  })
  after(async () => {
    delete process.env.ACME_ADDRESS
    await system.close()
    await rm(folder, { recursive: true })
  })

  run()
})
