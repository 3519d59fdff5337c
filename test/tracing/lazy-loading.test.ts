import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

const run = promisify(execFile)
const support = new URL('../support/api.ts', import.meta.url).href
const packageOf = /node_modules\/(@opentelemetry\/[^/]+)\/(?!node_modules)/

/** What of OpenTelemetry a process loads that serves one request; beside its interface, which prom-client loads. */
async function loaded(options: object): Promise<string[]> {
  const program = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
    const { startApi } = await import(${JSON.stringify(support)})
    const api = await startApi(${JSON.stringify(options)})
    await api.ask('/v1/ping', { key: await api.key() })
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

describe('what makes spans and sends them', function () {
  this.timeout(300_000)

  it('is not loaded by those who have not configured tracing', async () => {
    expect(await loaded({})).to.deep.equal([])
  })

  it('is loaded by those who have', async () => {
    const tracing = { endpoint: 'http://127.0.0.1:1/v1/traces', sample: 0, headers: {} }
    expect(await loaded({ tracing })).to.include.members(['@opentelemetry/resources', '@opentelemetry/sdk-trace'])
  })
})
