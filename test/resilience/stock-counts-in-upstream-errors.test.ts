import { expect } from 'chai'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type ApiResponse, type ProgramUnderTest, startProgram } from './program-under-test.ts'

const textOf = ({ status, headers, text }: ApiResponse) => `${status}\n${JSON.stringify([...headers])}\n${text}`

describe('stock counts in unexpected upstream responses', () => {
  const COUNT = 7_919_137.25
  let upstream: ScriptedUpstream
  let program: ProgramUnderTest
  const responses: [name: string, status: number, text: string][] = [
    ['an error', 500, `{"error":"only ${COUNT} left"}`],
    ['an error that is retried', 503, `only ${COUNT} left`],
    ['a refusal', 409, `{"detail":"stock is ${COUNT}"}`],
    ['a limit', 429, `${COUNT} left`],
    ['a truncated response', 200, `{"data":[{"sku":"A","stock":{"available":${COUNT},<<`],
    ['a response of another shape', 200, `{"data":[{"sku":"A","stock":{"available":"${COUNT}","expected":[]}}]}`],
    ['a 403', 403, `stock ${COUNT}`],
    ['a page', 302, `<a href="/login?${COUNT}">`],
  ]

  /** One merchant for each response, because it opens the circuits of the merchant. */
  const merchants = responses.map((_, at) => `m${at}`)

  before(async () => {
    upstream = await startScriptedUpstream((response, { path }) => {
      const [, status, body] = responses[Number(/^\/m(\d+)-live/.exec(path)![1])]!
      response.writeHead(status, { location: `/${COUNT}`, 'x-stock': `${COUNT}` }).end(body)
    })
    const { address } = upstream
    program = await startProgram({
      addresses: { inventory: address, pricing: address, accounting: address },
      merchants,
    })
  })
  after(async () => {
    await program?.[Symbol.asyncDispose]()
    await upstream.close()
  })

  for (const [at, [name]] of responses.entries()) {
    it(`do not reach a client: ${name}`, async () => {
      const key = await program.createKey(merchants[at]!, 'secret', 'live')
      for (const path of [
        '/v1/products/A',
        '/v1/products',
        '/v1/products/A/availability',
        '/v1/categories',
        '/v1/vehicles/7/products',
        '/v1/products/A/fitments',
      ]) {
        const reply = await program.request(path, key)
        expect(reply.status).to.be.oneOf([502, 503, 504])
        expect(textOf(reply)).not.to.contain('7919137')
      }
      expect((await program.request('/v1/availability/batch', key, { body: { skus: ['A'] } })).text).not.to.contain(
        '7919137',
      )
    })
  }

  it('do not reach the log, which has an entry for each failure', async () => {
    const log = await program.stopAndReadLog()
    expect(log).to.contain('request failed')
    for (const merchant of merchants)
      expect(log).to.match(new RegExp(`"${merchant}/live inventory".*"upstream failed"`))
    expect(log).not.to.contain('7919137')
  })
})
