import { expect } from 'chai'
import { openDemoMirror } from '../../catalog/demo-mirror.ts'
import { type CartShopper, cartShopper } from '../../routes/carts/cart-shopper-client.ts'
import { type Api, type Reply, startApi } from '../../support/api.ts'
import { createFileMirrorReader, useMirror } from '../../support/file-mirror-reader.ts'
import { accountAndWebhookMistakes } from './account-and-webhook-mistakes.ts'
import { bodyEncodingMistakes } from './body-encoding-mistakes.ts'
import { bodyFormMistakes } from './body-form-mistakes.ts'
import { cartMemberMistakes } from './cart-member-mistakes.ts'
import { cartMistakes } from './cart-mistakes.ts'
import { credentialMistakes } from './credential-mistakes.ts'
import { keyAndTokenPlaceMistakes } from './key-and-token-place-mistakes.ts'
import type { CallingRequest, Mistake } from './mistake.ts'
import { orderMistakes } from './order-mistakes.ts'
import { otherApiParameterMistakes } from './other-api-parameter-mistakes.ts'
import { otherApiPathMistakes } from './other-api-path-mistakes.ts'
import { otherMethodMistakes } from './other-method-mistakes.ts'
import { parameterMistakes } from './parameter-mistakes.ts'
import { pathMistakes } from './path-mistakes.ts'

const mistakes = [
  ...credentialMistakes,
  ...pathMistakes,
  ...parameterMistakes,
  ...cartMistakes,
  ...cartMemberMistakes,
  ...orderMistakes,
  ...accountAndWebhookMistakes,
  ...keyAndTokenPlaceMistakes,
  ...otherApiPathMistakes,
  ...otherMethodMistakes,
  ...otherApiParameterMistakes,
  ...bodyFormMistakes,
  ...bodyEncodingMistakes,
]
/** The clock stands still, so that no date changes meanwhile. */
const NOW = Date.now()
const TODAY = Temporal.Instant.fromEpochMilliseconds(NOW).toZonedDateTimeISO('America/Jamaica').toPlainDate().toString()
const lastOf = (path: string) => path.split('/').at(-1)!

describe("a beginner's mistake", () => {
  const opened = new AsyncDisposableStack()
  let api: Api
  /** By the words of the tables. */
  let values: Record<string, string>
  let keys: Record<CallingRequest, string | undefined>

  before(async () => {
    api = opened.use(await startApi({ now: () => NOW }))
    useMirror(api, opened.use(createFileMirrorReader(opened.use(openDemoMirror()))))
    const sec = await api.key({ kind: 'secret' })
    const pub = await api.key()
    const TOKEN = await api.shopperToken()
    const live = await api.key({ kind: 'secret', mode: 'live' })
    const catalogOnly = await api.key({ kind: 'secret', scopes: ['storefront:catalog'] })
    const ownOrigin = await api.key({ origins: ['https://shop.example'] })
    keys = { none: undefined, pub, sec, shop: sec, live, catalogOnly, ownOrigin }
    const shopper = await cartShopper(api)
    values = { PUB: pub, SEC: sec, CUT: pub.slice(0, -7), TOKEN, ...(await createCarts(api, shopper)) }
  })
  after(() => opened.disposeAsync())

  const fill = (text: string) => text.replace(/\b[A-Z]{3,6}\b/g, (word) => values[word] ?? word)
  const fillAll = <T>(value: T): T =>
    value === undefined || value instanceof Uint8Array ? value : JSON.parse(fill(JSON.stringify(value)))

  function send({ as, request, headers = {}, body }: Mistake): Promise<Reply> {
    const [method, path] = request.split(' ') as [string, string]
    const own = as === 'shop' ? { 'x-storefront-shopper-token': values.TOKEN } : {}
    const key = keys[as]
    return api.request(fill(path), {
      method,
      headers: { ...own, ...fillAll(headers) },
      body: fillAll(body),
      ...(key && { key }),
    })
  }

  for (const mistake of mistakes)
    it(`is explained: ${mistake.what}`, async () => {
      const { status, body, headers } = await send(mistake)
      const code = status === 422 ? body.detail[0].type : body.code
      const own = code === undefined ? [] : status === 422 ? body.detail.map(format) : [body.detail]
      const explained = [...own, ...hintOf(headers)]
      const detail = typeof mistake.detail === 'string' && explained.length === 1 ? explained[0] : explained
      const expected = JSON.parse(JSON.stringify(mistake.detail).replaceAll('TODAY', TODAY))
      expect([status, code, detail]).to.deep.equal([mistake.answer[0], mistake.answer[1], expected])
    })

  it('never shows a regular expression', async () => {
    for (const mistake of mistakes) {
      const { text } = await send(mistake)
      expect(text, mistake.what).to.not.match(/"pattern"|\\\\d|\^\[/)
    }
  })
})

const hintOf = (headers: Reply['headers']) =>
  'forecourt-hint' in headers ? [`Forecourt-Hint: ${headers['forecourt-hint']}`] : []

const format = ({ loc, msg }: { loc: unknown[]; msg: string }) => `${loc.join('.')}: ${msg}`

/** Creates an empty cart, one with a line (LINE), one of a product that is sold out (SOLD), one of another shopper, a request with an Idempotency-Key, and a subscription. */
async function createCarts(api: Api, shopper: CartShopper): Promise<Record<string, string>> {
  const CART = lastOf(await shopper.cart())
  const FULL = lastOf(await shopper.cart({ sku: 'BP-1001', quantity: 1 }))
  const SPARE = lastOf(await shopper.cart())
  const other = await cartShopper(api, { customer: 'C-1003' })
  const OTHERS = lastOf(await other.cart())
  const once = { 'idempotency-key': 'first-of-mine' }
  await shopper.ask('POST', `/v1/carts/${CART}/lines`, { sku: 'BP-1002', quantity: 1 }, once)
  const { body } = await shopper.ask('GET', `/v1/carts/${CART}`)
  await shopper.ask('DELETE', `/v1/carts/${CART}/lines/${body.lines[0].line_id}`)
  await shopper.ask('POST', '/v1/webhooks', { endpoint_url: 'https://shop.example/taken', event_types: ['*'] })
  const SOLD = lastOf(await shopper.cart({ sku: 'BP-1003', quantity: 1 }))
  const full = await shopper.ask('GET', `/v1/carts/${FULL}`)
  return { CART, FULL, LINE: full.body.lines[0].line_id, OTHERS, SOLD, SPARE, USED: 'first-of-mine' }
}
