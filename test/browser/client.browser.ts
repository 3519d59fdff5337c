import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { packClient } from '../../src/bin/client/pack.ts'
import { type Api, startApi } from '../support/api.ts'
import { closeWindows, openBrowser } from './browser-session.ts'

const run = promisify(execFile)
const compiler = resolve('node_modules/typescript/bin/tsc')

const PROGRAM = `
import { createForecourt, ForecourtError, type PriceInfo, sectionError } from '@forecourt/client/server'
import { verifyWebhook } from '@forecourt/client/webhooks'

const [url = '', key = ''] = process.argv.slice(2)
const shop = createForecourt({ url, key })
const product = await shop.getProduct({ sku: 'BP-1001' }, { headers: { 'X-Sandbox-Fault': 'pricing=error' } })
const price: PriceInfo | null = product.price
// @ts-expect-error a price may be null
void (() => product.price.amount)
// @ts-expect-error a product has no section of this name
void (() => sectionError(product, 'prices'))
// @ts-expect-error a list has no sync
void (() => shop.listProducts({ limit: 1 }).then(({ sync }) => sync))
void (() => shop.listProducts({ updated_since: '2026-01-01' }).then(({ sync }) => sync.watermark))
const refused = await verifyWebhook('{}', {}, { secret: 'whsec_AAAA' }).catch((error: Error) => error.name)
const missing = await shop.getProduct({ sku: 'none' }).catch((error: unknown) => error)
const code = missing instanceof ForecourtError ? missing.code : missing
console.log(JSON.stringify([price, sectionError(product, 'price')?.code, refused, code]))
`
const TSCONFIG = {
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom'],
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  },
}
const PAGE = `<!doctype html><script type="importmap">{"imports":{"@forecourt/client/":"/client/"}}</script>`

/** The tarball of `npm run pack:client`, installed in an empty folder. */
describe('the packed client', () => {
  let folder: string
  let api: Api
  let pages: Server

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-client-'))
    const tarball = packClient(join(folder, 'packed'))
    await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
    await run('npm', ['install', '--offline', '--no-audit', '--ignore-scripts', tarball], { cwd: folder })
    api = await startApi()
    pages = createServer(async ({ url = '/' }, response) => {
      const name = url.replace(/^\/client\//, '')
      const path = join(folder, 'node_modules/@forecourt/client', extname(name) ? name : `${name}.js`)
      if (url === '/') response.setHeader('content-type', 'text/html').end(PAGE)
      else response.setHeader('content-type', 'text/javascript').end(await readFile(path).catch(() => ''))
    })
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening))
  })
  after(async () => {
    pages?.close()
    await api?.[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })

  it('has no dependencies, and compiles and runs in a strict project', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'node_modules/@forecourt/client/package.json'), 'utf8'))
    expect(manifest).to.not.have.any.keys('dependencies', 'devDependencies', 'scripts')
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ ...TSCONFIG, files: ['program.ts'] }))
    const compiled = await run(process.execPath, [compiler, '--project', folder]).catch((error) => error)
    expect(compiled.stdout).to.equal('')
    const key = await api.key({ kind: 'secret' })
    const { stdout } = await run(process.execPath, ['program.js', api.address, key], { cwd: folder })
    expect(JSON.parse(stdout)).to.deep.equal([null, 'downstream_error', 'WebhookVerificationError', 'not_found'])
  })

  it('reads, revalidates and reports errors in a page', async () => {
    const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    const key = await api.key({ origins: [origin] })
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const statuses: number[] = []
      page.on('response', (response) => {
        if (response.url().endsWith('/v1/products/BP-1001')) statuses.push(response.status())
      })
      await page.goto(origin)
      const script = `(async () => {
        const { createForecourt } = await import('@forecourt/client/browser')
        const shop = createForecourt({ url: '${api.address}', key: '${key}' })
        const first = await shop.getProduct({ sku: 'BP-1001' })
        const second = await shop.getProduct({ sku: 'BP-1001' })
        const { status, code, requestId } = await shop.getProduct({ sku: 'none' }).catch((error) => error)
        return [JSON.stringify(first) === JSON.stringify(second), first.sku, status, code, typeof requestId]
      })()`
      expect(await page.evaluate(script)).to.deep.equal([true, 'BP-1001', 404, 'not_found', 'string'])
      expect(statuses).to.deep.equal([200, 304])
    } finally {
      await closeWindows()
    }
  })
})
