import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { routeTags } from '../../../src/http/route-tags.ts'
import { apiRoutes } from '../../../src/routes/api-routes.ts'
import { buildReferenceDocument } from '../../../src/routes/meta/reference/reference-document.ts'
import { type Api, startApi } from '../../support/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is read as a renderer reads it
type Json = Record<string, any>

const run = promisify(execFile)
const operationsOf = (document: Json) =>
  Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods))

describe('/docs', () => {
  let api: Api
  let document: Json

  before(async () => {
    api = await startApi()
    document = (await api.request('/docs/reference.json')).body
  })
  after(() => api[Symbol.asyncDispose]())

  const tagOf = (name: string) => document.tags.find((tag: Json) => tag.name === name)
  const samplesOf = (id: string) =>
    operationsOf(document).find(({ operationId }) => operationId === id)!['x-codeSamples']

  it('has the guides, the codes and the events beside the groups of calls', () => {
    const names = document.tags.map(({ name }: Json) => name)
    expect(names).to.include.members([
      ...Object.keys(routeTags),
      'Sandbox',
      'Error codes',
      'Event reference',
      'Retries',
    ])
    expect(tagOf('Catalog').description).to.include('\n## Search\n').and.include('`facets` counts')
    expect(tagOf('Error codes').description).to.include('| `price_changed` | 409 |')
    expect(tagOf('Event reference').description).to.include('## stock.changed')
  })

  it('begins each page with plain text, and has plain summaries, which the search shows as they are', () => {
    const pages = document.tags.map(({ name, description }: Json) => [name, String(description).slice(0, 70)])
    const calls = operationsOf(document).map(({ operationId, summary }) => [operationId, summary])
    const shown = [...pages, ...calls]
    expect(shown.filter(([, text]: [string, string]) => /[`*[\]|#<]/.test(text))).to.deep.equal([])
  })

  it('links guides only to its own tags', () => {
    const slugs = document.tags.map(({ name }: Json) => `#tag/${name.toLowerCase().replaceAll(' ', '-')}`)
    const targets = document.tags.flatMap(({ description }: Json) =>
      [...description.matchAll(/\]\((?!https?:)([^)]*)\)/g)].map(([, target]: string[]) => target),
    )
    expect(targets).to.include.members(['#tag/error-codes', '#tag/receiving-webhooks'])
    expect(targets.filter((target: string) => !slugs.includes(target))).to.deep.equal([])
  })

  it('shows each call with curl, and each call of the client with TypeScript', () => {
    for (const { operationId, security, 'x-codeSamples': samples } of operationsOf(document)) {
      const labels = samples.map(({ label }: Json) => label)
      expect(labels, operationId).to.deep.equal(security.length === 0 ? ['curl'] : ['curl', 'TypeScript'])
    }
    const [curl, typescript] = samplesOf('addCartLine')
    expect(curl.source).to.match(
      /^curl -s "\$API\/v1\/carts\/cart_\w+\/lines" \\\n {2}-H "Authorization: Bearer \$SEC" \\\n {2}-H "X-Storefront-Shopper-Token: \$TOKEN" \\\n {2}-H "Idempotency-Key: \$\(uuidgen\)" \\\n/,
    )
    expect(typescript.source).to.match(
      /await shopper\.addCartLine\(\{\n {2}cart_id: 'cart_\w+',\n {2}body: \{ sku: 'BP-1001', quantity: 2 \},\n\}\)$/,
    )
  })

  it('has curl samples that work', async () => {
    const key = await api.key()
    const env = { ...process.env, API: api.address, PUB: key }
    const samples = ['getProduct', 'getTags', 'getAvailabilityBatch'].map((id) => samplesOf(id)[0].source)
    const outputs = await Promise.all(samples.map((sample) => run('bash', ['-c', sample], { env })))
    const bodies = outputs.map(({ stdout }) => JSON.parse(stdout))
    expect(bodies[0]).to.include({ sku: 'BP-1001' })
    expect(bodies[1].data).to.not.deep.equal([])
    expect(bodies[2].data.map(({ sku }: Json) => sku)).to.deep.equal(['BP-1001', 'BP-1004'])
  })

  it('has TypeScript samples that compile in a strict project', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-samples-'))
    try {
      const client = resolve('src/client')
      const sources = operationsOf(document).flatMap(({ 'x-codeSamples': [, sample] }) =>
        sample ? [sample.source] : [],
      )
      expect(sources.length).to.equal(apiRoutes.length)
      const files = sources.map((source, index) => ({ name: `sample-${index}.ts`, source }))
      const given =
        "declare const url: string\ndeclare const key: string\ndeclare const session: import('@forecourt/client/server').Session\n"
      await Promise.all(
        files.map(({ name, source }) => writeFile(join(folder, name), `${given}${source}\nvoid result\n`)),
      )
      const compilerOptions = {
        ...{
          strict: true,
          noEmit: true,
          target: 'esnext',
          module: 'esnext',
          moduleResolution: 'bundler',
          skipLibCheck: true,
        },
        ...{ allowImportingTsExtensions: true, lib: ['esnext', 'dom'], types: [], exactOptionalPropertyTypes: true },
        paths: { '@forecourt/client/*': [`${client}/*.ts`] },
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
      const compiler = resolve('node_modules/typescript/bin/tsc')
      const { stdout } = await run(process.execPath, [compiler, '--project', folder]).catch((error) => error)
      expect(stdout).to.equal('')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('is built in steps, between which the server responds to others', () => {
    expect([...buildReferenceDocument(apiRoutes)].length).to.be.greaterThan(apiRoutes.length)
  })

  it('serves the API reference from this process only, with a strict policy', async () => {
    const page = await api.request('/docs')
    expect(page.headers['content-type']).to.match(/^text\/html/)
    expect(page.headers['content-security-policy']).to.match(/default-src 'none'/)
    expect(page.headers['content-security-policy']).to.not.match(/unsafe|https?:|\*/)
    const [nonce] = /'nonce-[\w-]{22}'/.exec(String(page.headers['content-security-policy']))!
    expect(page.text).to.include(nonce.slice("'nonce-".length, -1))
    const again = await api.request('/docs')
    expect(again.headers['content-security-policy']).to.not.include(nonce)
    expect(again.headers['cache-control']).to.equal('no-store')
    const linked = [...page.text.matchAll(/<(?:link|script) [^>]*(?:src|href)="([^"]+)"/g)].map(([, url]) => url!)
    expect(linked).to.have.members(
      ['icon.svg', 'reference.css', 'start.js', 'scalar.js'].map((name) => `/docs/${name}`),
    )
    for (const url of linked) {
      expect(url).to.match(/^\/docs\//)
      expect((await api.request(url)).status, url).to.equal(200)
    }
    expect(page.text).to.not.match(/<script>|<style|style="|onload=/)
  })

  for (const path of ['/openapi.json', '/docs/reference.json', '/docs/scalar.js'])
    it(`serves ${path} compressed, and 304 for each coding’s own ETag`, async () => {
      const plain = await api.request(path)
      for (const coding of ['br', 'gzip']) {
        const headers = { 'accept-encoding': coding }
        const reply = await api.request(path, { headers })
        expect(reply.text === plain.text, 'the same text').to.equal(true)
        expect(reply.headers).to.include({ 'content-encoding': coding, vary: 'Accept-Encoding' })
        expect(reply.headers.etag).to.match(/^"/).and.not.equal(plain.headers.etag)
        const again = await api.request(path, { headers: { ...headers, 'if-none-match': reply.headers.etag! } })
        expect(again).to.include({ status: 304, text: '' })
      }
      const again = await api.request(path, { headers: { 'if-none-match': plain.headers.etag! } })
      expect(again).to.include({ status: 304, text: '' })
    })

  for (const asset of ['..%2Fpackage.json', 'reference.ts', '__proto__', 'index.js']) {
    it(`serves no other file: ${asset}`, async () => {
      expect((await api.request(`/docs/${asset}`)).status).to.equal(404)
    })
  }
})
