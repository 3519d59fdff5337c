import { expect } from 'chai'
import { Type } from 'typebox'
import { createRpc, foundShape } from '../../../adapters/odoo/client/rpc.ts'
import { createHttpClient } from '../../../src/upstream/client/http-client.ts'
import { createCall } from '../../support/create-call.ts'
import { failureOf } from '../../support/failure-of.ts'
import { respondJson, startScriptedUpstream, type UpstreamScript } from '../../support/scripted-upstream.ts'

const Rows = foundShape(Type.Object({ id: Type.Integer() }))
const search = { domain: [], specification: {}, limit: 2 }
const error = (name: string, message: string) => ({ name, message, arguments: [], context: {}, debug: 'Traceback' })

async function read(script: UpstreamScript) {
  await using upstream = await startScriptedUpstream(script)
  await using client = createHttpClient({ address: upstream.address, maxSockets: 1, maxResponseBytes: 100_000 })
  const rpc = createRpc({ api_key: 'secret', company: 3, database: 'shop' }, client)
  const outcome = rpc.search(Rows, 'product.product', search, createCall())
  return { outcome: await outcome.catch((failure: unknown) => failure), request: upstream.requests[0]! }
}

const failureFor = async (status: number, body: unknown) => {
  const { outcome } = await read(respondJson(body, status))
  return failureOf(Promise.reject(outcome))
}

describe('odoo: JSON-2', () => {
  it('sends the key, the database, the company and UTC', async () => {
    const { request } = await read(respondJson({ length: 0, records: [] }))
    expect(request).to.include({ method: 'POST', path: '/json/2/product.product/web_search_read' })
    expect(request.headers).to.include({ authorization: 'bearer secret', 'x-odoo-database': 'shop' })
    expect(JSON.parse(request.body).context).to.deep.equal({ lang: 'en_US', tz: 'UTC', allowed_company_ids: [3] })
  })

  it('cuts a page to the rows that it asked for', async () => {
    const { outcome } = await read(respondJson({ length: 9, records: [{ id: 1 }, { id: 2 }, { id: 'not a row' }] }))
    expect(outcome).to.deep.equal({ length: 9, records: [{ id: 1 }, { id: 2 }] })
  })

  it('tells an ended key from a refusal', async () => {
    expect(await failureFor(401, error('werkzeug.exceptions.Unauthorized', 'Invalid apikey'))).to.include({
      failure: 'unauthorized',
    })
    expect(await failureFor(403, error('odoo.exceptions.AccessError', 'no'))).to.include({ failure: 'rejected' })
    expect(await failureFor(422, error('odoo.exceptions.UserError', 'no'))).to.include({ failure: 'rejected' })
  })

  it('tells a missing module from another program behind the address', async () => {
    expect(await failureFor(404, error('werkzeug.exceptions.NotFound', 'no model'))).to.include({
      failure: 'not_configured',
    })
    expect(await failureFor(404, '<html>')).to.include({ failure: 'invalid' })
    const missing = error('odoo.exceptions.MissingError', 'Record does not exist')
    expect(await failureFor(404, missing)).to.include({ failure: 'rejected' })
  })

  it('reads the reason of a 500', async () => {
    const unknown = error('builtins.ValueError', "Invalid field 'nope' on 'product.product'")
    expect(await failureFor(500, unknown)).to.include({ failure: 'not_configured' })
    const conflict = error('psycopg2.errors.SerializationFailure', 'could not serialize access')
    expect(await failureFor(500, conflict)).to.include({ failure: 'error', retryable: true })
    expect(await failureFor(500, error('builtins.KeyError', 'x'))).to.include({ failure: 'error', retryable: false })
    expect(await failureFor(500, {})).to.include({ failure: 'error', retryable: false })
  })

  it('summarizes a refusal by a reason that concerns the configuration, or else by the class of the error', async () => {
    const summaryOf = async (status: number, name: string, message: string) =>
      (await failureFor(status, error(`odoo.exceptions.${name}`, message))).summary
    expect(await summaryOf(422, 'UserError', 'Invalid language code: de_DE')).to.equal(
      'responded 422: Invalid language code',
    )
    const companies = 'Access to unauthorized or invalid companies.'
    expect(await summaryOf(403, 'AccessError', companies)).to.equal(
      'responded 403: Access to unauthorized or invalid companies',
    )
    const field = 'You do not have enough rights to access the field "credit" on Contact (res.partner). Please contact'
    expect(await summaryOf(403, 'AccessError', field)).to.equal(
      'responded 403: You do not have enough rights to access the field "credit"',
    )
    const records = "You are not allowed to access 'Journal Entry' (account.move) records.\n\nThis operation"
    expect(await summaryOf(403, 'AccessError', records)).to.equal(
      "responded 403: You are not allowed to access 'Journal Entry' (account.move) records",
    )
    expect(await summaryOf(422, 'UserError', 'Ada Brown owes 41')).to.equal('responded 422: odoo.exceptions.UserError')
    expect((await failureFor(404, '<html>')).summary).to.equal('responded 404')
    expect((await failureFor(401, error('Unauthorized', 'no'))).summary).to.equal('responded 401')
  })

  it('names a database that does not exist', async () => {
    const page = '<h1>Not Found</h1>\n<p>No database is selected and the requested URL was not found'
    const script: UpstreamScript = (response, { path }) =>
      path === '/jsonrpc'
        ? void response.end('{"jsonrpc":"2.0","id":1,"result":{"server_serie":"19.0"}}')
        : void response.writeHead(404, { 'content-type': 'text/html' }).end(page)
    const text = 'Odoo has no database "shop" (setting database)'
    expect((await read(script)).outcome).to.include({ failure: 'misconfigured', message: text, summary: text })
  })

  it('does not repeat digits of a response in a message', async () => {
    const { message } = await failureFor(422, error('odoo.exceptions.UserError', 'only 41 left'))
    expect(message).to.include('only # left').and.not.include('41')
  })
})
