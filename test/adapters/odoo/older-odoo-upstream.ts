import { expect } from 'chai'
import { Type } from 'typebox'
import { createRpc, type Rpc } from '../../../adapters/odoo/client/rpc.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createCall } from '../../support/create-call.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../../support/scripted-upstream.ts'

export const Anything = responseSchema(Type.Unknown())
export const login = { api_key: 'secret', database: 'shop', user: 'forecourt' }
export const context = { lang: 'en_US', tz: 'UTC', allowed_company_ids: [1] }

interface Service {
  service: string
  method: string
  args: unknown[]
}

/** Returns the result, or the error, of a call of a model. `named` are its named arguments, and `ids` its records. */
type Respond = (method: string, named: Record<string, unknown>, ids: number[] | undefined) => unknown
interface Options {
  settings?: Parameters<typeof createRpc>[0]
  version?: string
}

/** Starts an Odoo without JSON-2, and uses a client of it. */
export async function withOlderOdoo<T>(
  respond: Respond,
  use: (rpc: Rpc, upstream: ScriptedUpstream, clock: { ms: number }) => Promise<T>,
  { settings = login, version = '18.0' }: Options = {},
) {
  await using upstream = await startScriptedUpstream((response, { path, body }) => {
    if (path !== '/jsonrpc') return void response.writeHead(404, { 'content-type': 'text/html' }).end('<html>')
    const { service, method, args } = JSON.parse(body).params as Service
    const answers: Record<string, () => unknown> = {
      version: () => ({ result: { server_serie: version } }),
      authenticate: () => ({ result: 7 }),
      execute_kw: () =>
        respond(`${args[3]}/${args[4]}`, args[6] as Record<string, unknown>, (args[5] as [number[]?])[0]),
    }
    expect(service).to.equal(method === 'execute_kw' ? 'object' : 'common')
    response.writeHead(200).end(JSON.stringify(answers[method]!()))
  })
  await using client = createHttpClient({ address: upstream.address, maxSockets: 1, maxResponseBytes: 100_000 })
  const clock = { ms: 0 }
  return await use(
    createRpc(settings, client, () => clock.ms),
    upstream,
    clock,
  )
}

export const paramsOf = ({ requests }: ScriptedUpstream) =>
  requests.filter(({ path }) => path === '/jsonrpc').map(({ body }) => JSON.parse(body).params as Service)

/** Makes one call, and returns its arguments after the key, and its answer. */
export const exchange = (method: string, args: Record<string, unknown>, result: unknown, version = '18.0') =>
  withOlderOdoo(
    () => ({ result }),
    async (rpc, upstream) => {
      const answer = await rpc.call(Anything, method, args, createCall())
      return { answer, sent: paramsOf(upstream).at(-1)!.args.slice(3) }
    },
    { version },
  )
