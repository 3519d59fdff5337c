import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const support = new URL('../support/api.ts', import.meta.url).href
const packageOf = /node_modules\/(@opentelemetry\/[^/]+)\/(?!node_modules)/

/** Returns the OpenTelemetry packages that a process loads to serve one request, without the API, which prom-client loads. */
async function loadedPackages(options: object): Promise<string[]> {
  const program = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
    const { startApi } = await import(${JSON.stringify(support)})
    const api = await startApi(${JSON.stringify(options)})
    await api.request('/v1/ping', { key: await api.key() })
    await api[Symbol.asyncDispose]()
    console.log(JSON.stringify(urls))
  `
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    maxBuffer: 16 * 1_048_576,
  })
  const urls = JSON.parse(stdout) as string[]
  const packages = new Set(urls.flatMap((url) => packageOf.exec(url)?.[1] ?? []))
  packages.delete('@opentelemetry/api')
  return [...packages]
}

describe('the OpenTelemetry SDK', function () {
  this.timeout(300_000)

  it('is not loaded without tracing in the configuration', async () => {
    expect(await loadedPackages({})).to.deep.equal([])
  })

  it('is loaded with tracing in the configuration', async () => {
    const tracing = { endpoint: 'http://127.0.0.1:1/v1/traces', sample: 0, headers: {} }
    expect(await loadedPackages({ tracing })).to.include.members([
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace',
    ])
  })
})
