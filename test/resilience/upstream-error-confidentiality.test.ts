import { expect } from 'chai'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type ApiResponse, type ProgramUnderTest, startProgram } from './program-under-test.ts'

const textOf = ({ status, headers, text }: ApiResponse) => `${status}\n${JSON.stringify([...headers])}\n${text}`

describe('a system that tells its stock counts where it should not', () => {
  const SAID = 7_919_137.25
  let upstream: ScriptedUpstream
  let world: ProgramUnderTest
  const answers: [name: string, status: number, text: string][] = [
    ['an error', 500, `{"error":"only ${SAID} left"}`],
    ['an error that is tried again', 503, `only ${SAID} left`],
    ['a refusal', 409, `{"detail":"stock is ${SAID}"}`],
    ['a limit', 429, `${SAID} left`],
    ['an answer that breaks off', 200, `{"data":[{"sku":"A","stock":{"available":${SAID},<<`],
    ['an answer of another shape', 200, `{"data":[{"sku":"A","stock":{"available":"${SAID}","expected":[]}}]}`],
    ['a refusal where others answer 404', 403, `stock ${SAID}`],
    ['a page', 302, `<a href="/login?${SAID}">`],
  ]

  /** Each way of telling is a merchant's, for it opens that one's circuits. */
  const merchants = answers.map((_, at) => `m${at}`)

  before(async () => {
    upstream = await startScriptedUpstream((response, { path }) => {
      const [, status, said] = answers[Number(/^\/m(\d+)-live/.exec(path)![1])]!
      response.writeHead(status, { location: `/${SAID}`, 'x-stock': `${SAID}` }).end(said)
    })
    const { address } = upstream
    world = await startProgram({ addresses: { inventory: address, pricing: address, accounting: address }, merchants })
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
    await upstream.close()
  })

  for (const [at, [name]] of answers.entries()) {
    it(`is not quoted with its numbers: ${name}`, async () => {
      const key = await world.key(merchants[at]!, 'secret', 'live')
      for (const path of [
        '/v1/products/A',
        '/v1/products',
        '/v1/products/A/availability',
        '/v1/categories',
        '/v1/vehicles/7/products',
        '/v1/products/A/fitments',
      ]) {
        const reply = await world.ask(path, key)
        expect(reply.status).to.be.oneOf([502, 503, 504])
        expect(textOf(reply)).not.to.contain('7919137')
      }
      expect((await world.ask('/v1/availability/batch', key, { body: { skus: ['A'] } })).text).not.to.contain('7919137')
    })
  }

  it('is not quoted in the log either, which tells of each', async () => {
    const log = await world.logged()
    expect(log).to.contain('request failed')
    for (const merchant of merchants)
      expect(log).to.match(new RegExp(`"${merchant}/live inventory".*"upstream failed"`))
    expect(log).not.to.contain('7919137')
  })
})
