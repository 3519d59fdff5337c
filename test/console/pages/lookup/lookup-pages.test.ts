import { expect } from 'chai'
import { createPasswordHasher } from '../../../../src/commands/password-hasher.ts'
import { createPageScope } from '../../../../src/console/pages/lookup/page-scope.ts'
import { issueInvoice, shipOrder } from '../../../../src/sandbox/control/accounting-control-client.ts'
import { randomBase62 } from '../../../../src/security/base62.ts'
import { insertCart, storeCartPricing } from '../../../../src/storage/commerce/carts.ts'
import { insertOrderTry } from '../../../../src/storage/commerce/order-tries.ts'
import type { OrderRecord } from '../../../../src/storage/commerce/orders.ts'
import { insertRequestRecords } from '../../../../src/storage/diagnostics/request-records.ts'
import { addOperator, type OperatorRole } from '../../../../src/storage/operators/operator-accounts.ts'
import { createOrderDraft } from '../../../adapters/conformance/order-draft.ts'
import { type Api, startApi } from '../../../support/api.ts'
import { sendHttpRequest } from '../../../support/send-http-request.ts'
import { stores } from '../../../support/stores.ts'
import { type OperatorBrowser, toCookieHeader } from '../../test-console.ts'
import { insertPendingOrder } from '../pending-order.ts'
import { draftWithSecrets, EMAIL, PLANTED } from '../planted-words.ts'

const PASSWORD = 'correct horse battery'
const CUSTOMER = { merchant: 'acme', mode: 'live' as const, customer_id: 'C-77 a' }
const AT = '2026-01-05T10:00:00.000Z'
/** AT, as a page shows it. */
const PRICED = '5 Jan 2026, 05:00:00 GMT-5'

for (const store of stores()) {
  describe(`the search and the pages of what it finds: ${store.name}`, () => {
    let api: Api
    let operator: OperatorBrowser
    let support: OperatorBrowser
    let cartId: string

    before(async () => {
      await store.open()
      api = await startApi({ store: store.url(), operations: {} })
      operator = await signInAs('ada', 'operator')
      support = await signInAs('eve', 'support')
      cartId = (await insertCart(api.db, CUSTOMER, { now: AT, expiresAt: '2099-01-01T00:00:00.000Z' })).cart_id
      await insertShopper('shp_0000000000000000000001', 'acme', 'C-77 a')
      await insertShopper('shp_0000000000000000000002', 'zenith', null)
      await insertRecord('Till-4.A', 'acme')
      await insertRecord('elsewhere-1', 'stranger')
    })
    after(async () => {
      await api[Symbol.asyncDispose]()
      await store.close()
    })

    async function signInAs(name: string, role: OperatorRole): Promise<OperatorBrowser> {
      const passwordHash = await createPasswordHasher().hash(PASSWORD)
      await addOperator(api.db, { name, role, passwordHash }, Date.now())
      const cookie = toCookieHeader(await post('/sign-in', { name, password: PASSWORD }))
      const { text } = await get({ cookie, csrf: '' }, '/find')
      return { cookie, csrf: /name="csrf" value="(\w+)"/.exec(text)![1]! }
    }
    const get = ({ cookie }: OperatorBrowser, path: string) =>
      sendHttpRequest(api.operationsAddress, path, { headers: { cookie } })
    const post = (path: string, form: Record<string, string>, cookie?: string) =>
      sendHttpRequest(api.operationsAddress, path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: api.operationsAddress, cookie },
        body: new URLSearchParams(form).toString(),
      })
    const find = (q: string) => post('/find', { csrf: support.csrf, q }, support.cookie)
    const findOne = async (q: string) => (await find(q)).headers.location
    const readText = async (path: string, browser = support) => {
      const { status, text } = await get(browser, path)
      expect(status, path).to.equal(200)
      for (const word of PLANTED) expect(text, path).to.not.include(word)
      return text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
    }

    async function insertShopper(shopper_id: string, tenant_id: string, customer_id: string | null) {
      const times = { created_at: AT, updated_at: AT, verified_at: null }
      const account = { shopper_id, tenant_id, mode: 'live' as const, email: EMAIL, customer_id }
      await api.db
        .insertInto('shoppers')
        .values({ ...account, ...times, password_hash: '$argon2id$planted-hash' })
        .execute()
    }
    async function insertCartOf(sku: string, totals: object | null, pricing: object = {}): Promise<string> {
      const line = { line_id: 'line_1', sku, name: 'Pad', quantity: '1', uom: 'EA' }
      const lines = [{ ...line, order_uom: null, order_quantity: null }]
      const times = { now: AT, expiresAt: '2099-01-01T00:00:00.000Z' }
      const { cart_id, version } = await insertCart(api.db, CUSTOMER, times, (empty) => ({ ...empty, lines }))
      if (totals) await storeCartPricing(api.db, cart_id, version, { version, priced_at: AT, totals, ...pricing })
      return cart_id
    }
    async function insertRecord(request_id: string, tenant_id: string, more = {}) {
      const document = {
        method: 'GET',
        path: '/v1/x',
        cache: 'miss',
        deadlineMs: 1,
        sections: [],
        calls: [],
        process: 'p',
      }
      const record = { record_id: randomBase62(12), request_id, tenant_id, mode: 'live' as const, at: AT }
      const result = { kind: 'refused' as const, route: 'getProduct', status: 401, ms: 1, code: 'invalid_api_key' }
      const searched = { key_id: null, customer_id: null, skus: null, section_codes: null }
      await insertRequestRecords(api.db, [
        { ...record, ...result, ...searched, document: JSON.stringify(document), ...more },
      ])
    }

    const insertPending = (change: Partial<OrderRecord> = {}) => insertPendingOrder(api.db, CUSTOMER, AT, change)
    const statusOf = async (order_id: string) =>
      (await api.db.selectFrom('orders').select('status').where('order_id', '=', order_id).executeTakeFirst())?.status

    it('lead straight to what has an id, in any letter case and with spaces', async () => {
      const order = await insertPending()
      const { record, key } = await api.issueKey({ mode: 'live', label: 'Till 4' })
      expect({
        request: await findOne(' TILL-4. a '),
        order: await findOne(`ORD_${order.slice(4).toUpperCase()}`),
        cart: await findOne(`${cartId.slice(0, 9)} ${cartId.slice(9).toLowerCase()}`),
        keyId: await findOne(record.key_id.toUpperCase()),
        label: await findOne('till 4'),
        key: await findOne(key),
        code: await findOne('Downstream_Timeout'),
        product: (await get(support, '/products/acme/live/none')).status,
      }).to.deep.equal({
        request: '/request?id=Till-4.A',
        order: `/orders/${order}`,
        cart: `/carts/${cartId}`,
        keyId: `/keys/${record.key_id}`,
        label: `/keys/${record.key_id}`,
        key: `/keys/${record.key_id}`,
        code: '/codes/downstream_timeout',
        product: 404,
      })
    })

    it('lead to an order and a customer by their numbers with other separators, or without letters', async () => {
      const order = await insertPending({ customer_id: 'K-1009' })
      for (const [id, order_number] of [
        [order, 'SO-200001'],
        [await insertPending(), 'WEB/0099'],
      ] as const)
        await api.db.updateTable('orders').set({ order_number }).where('order_id', '=', id).execute()
      for (const q of ['SO 200001', 'so200001', '#SO-200001', '200001'])
        expect(await findOne(q), q).to.equal(`/orders/${order}`)
      for (const q of ['99', 'web 0099']) expect(await findOne(q), q).to.match(/^\/orders\/ord_/)
      for (const q of ['K 1009', 'k1009', 'K-1009']) expect(await findOne(q), q).to.equal('/customers/acme/live/K-1009')
    })

    it('list several matches, under a URL that has neither key nor email address', async () => {
      await insertRecord('C-77a', 'acme')
      await api.db.updateTable('orders').set({ order_number: 'C-77A' }).where('customer_id', '=', 'C-77 a').execute()
      const { headers } = await find('#c-77A')
      expect(headers.location).to.equal('/find?q=%23c-77A')
      expect(await readText('/find?q=%23c-77A')).to.match(/Request .*Order/)
      const byAddress = await find(EMAIL.toUpperCase())
      expect([byAddress.status, byAddress.headers.location]).to.deep.equal([200, undefined])
      expect(byAddress.text).to.include('C-77 a').and.include('shp_0000000000000000000002').and.not.include(EMAIL)
      expect((await find('svc_live_sec_NoSuchKeyAtAllButSecret')).text)
        .to.include('Nothing found')
        .and.not.include('NoSuchKeyAtAll')
      expect(await readText(`/find?q=${encodeURIComponent(EMAIL)}`)).to.include('Nothing found')
    })

    it('find nothing of a merchant that is not served here', async () => {
      const order = await insertPending({ tenant_id: 'stranger' })
      for (const q of ['elsewhere-1', order]) expect((await find(q)).headers.location, q).to.match(/^\/find/)
      expect((await get(support, `/orders/${order}`)).status).to.equal(404)
      for (const path of ['/customers/stranger/live/C-77', '/products/stranger/live/A', '/customers/acme/nowhere/C-77'])
        expect((await get(support, path)).status, path).to.equal(404)
      expect((await post('/find', { csrf: 'wrong', q: 'x' }, support.cookie)).status).to.equal(403)
      expect((await post('/find', { q: 'x' })).status).to.equal(401)
    })

    it('leave merchants that are not served here out of every list', async () => {
      await insertIncident(api.db, 'inc_of_stranger', 'stranger')
      await insertIncident(api.db, 'inc_of_acme', 'acme')
      const { record } = await api.issueKey({ merchant: 'stranger', mode: 'live', label: 'Till of a stranger' })
      for (const path of ['/incidents', '/incidents?mode=live', '/codes/downstream_timeout']) {
        const { text } = await get(support, path)
        expect(text, path).to.include('inc_of_acme').and.not.include('inc_of_stranger')
      }
      expect((await get(support, '/keys')).text).to.not.include('stranger')
      expect((await get(support, '/request?id=elsewhere-1')).text).to.include('There is no record of this request')
      for (const path of ['/incidents/inc_of_stranger', '/incidents/inc_of_stranger/export.json'])
        expect((await get(support, path)).status, path).to.equal(404)
      await post(`/keys/${record.key_id}/revoke`, { csrf: operator.csrf }, operator.cookie)
      const key = api.db.selectFrom('api_keys').select('revoked').where('key_id', '=', record.key_id)
      expect((await key.executeTakeFirstOrThrow()).revoked).to.equal(0)
    })

    it('are written to the audit log for an email address: who looked up whose account, and never the address', async () => {
      await find(EMAIL.toUpperCase())
      await find('nobody@nowhere.example')
      const entries = await api.db.selectFrom('audit_log').selectAll().where('action', '=', 'email.look_up').execute()
      // Two entries may have the same time.
      const looked = entries.map(({ operator: name, role, target, outcome }) => [name, role, target, outcome])
      expect(looked).to.deep.include.members([
        ['eve', 'support', '{"found":"customer C-77 a, shopper account shp_0000000000000000000002"}', 'done'],
        ['eve', 'support', '{"found":"nothing"}', 'done'],
      ])
      expect(await readText('/audit'))
        .to.include('email.look_up')
        .and.not.include('nowhere.example')
    })

    it('say that products were not searched where no copy of the catalog is, and tell merchants of one name apart', async () => {
      const text = await readText('/find?q=BP-1009')
      for (const said of [
        'This machine has no copy of the catalog of Parts [acme] (live), Parts [acme] (sandbox)',
        'ask the systems of a merchant: Parts [acme] (live)',
      ])
        expect(text).to.include(said)
    })

    it('take every text', async () => {
      for (const q of ['', '\0', '%', "'; drop table orders; --", '\ud800', 'ﬀ'.repeat(300), '<script>'])
        expect((await find(q)).status, q).to.be.oneOf([200, 303])
      expect((await get(support, '/find?q=%00%ff')).status).to.equal(200)
      expect((await get(support, '/customers/acme/live/%00')).status).to.equal(200)
      for (const path of ['/orders/%00', '/carts/%00', '/keys/%00', '/shoppers/%00', '/codes/%00'])
        expect((await get(support, path)).status, path).to.equal(404)
    })

    it('show each attempt of an order, where it waits and what to do', async () => {
      const order = await insertPending()
      const text = await readText(`/orders/${order}`)
      for (const said of [
        'Waiting for accounting',
        '2 attempts failed',
        'No response in 700 ms',
        'HTTP 422',
        'The next attempt is at',
        'rejects this order for a reason that Forecourt does not recognize',
        'An account with the role operator can end this order',
      ])
        expect(text).to.include(said)
      expect(await readText(`/orders/${order}`, operator)).to.include('End this order …')
    })

    it('show how an order is delivered, and what its total is made of', async () => {
      const picked = await readText(`/orders/${await insertPending()}`)
      expect(picked).to.include('Delivery Picked up by the shopper, without a delivery option Goods')
      const draft = draftWithSecrets('ord_1', 'C-1001')
      const pickup_place = { pickup_place_id: 'MBJ', name: 'Montego Bay branch', description: null, address: null }
      const delivery = { delivery_option_id: 'BRANCH', name: 'Pick up at a branch', pickup_place }
      const totals = { ...draft.totals, shipping_total: '850.00', tax_total: '127.50', total: '987.50' }
      const order = await insertPending({ draft: { ...draft, delivery, totals } })
      expect(await readText(`/orders/${order}`)).to.match(
        /Delivery Pick up at a branch: Montego Bay branch Goods \D+10.00 Delivery price \D+850.00 Tax \D+127.50 Total \D+987.50/,
      )
    })

    it('say of an order that was sent twice that accounting has it once', async () => {
      const order = await insertPending()
      await insertOrderTry(api.db, { order_id: order, at: AT, ms: 40, number: 2, outcome: 'placed', kind: '' })
      await api.db.updateTable('orders').set({ status: 'CONFIRMED' }).where('order_id', '=', order).execute()
      const text = await readText(`/orders/${order}`)
      expect(text)
        .to.include('Confirmed')
        .and.match(/Checkout .* Failed .* Retry 1 .* Failed .* Retry 2 .* Placed/)
      expect(text).to.include('Each attempt sent the same reference, so accounting has this order only once.')
    })

    it('say that the state of an order is what Forecourt did last, and read what accounting says now', async () => {
      const tenant = { merchant: 'acme', mode: 'sandbox' } as const
      const customerId = 'C-1008'
      const reference = await insertPending({ customer_id: customerId, mode: tenant.mode, status: 'CONFIRMED' })
      const path = `/orders/${reference}/accounting`
      const page = await get(support, `/orders/${reference}`)
      expect(page.text).to.include('This is what Forecourt did last.').and.include(`href="${path}"`)
      expect(await readText(`/customers/acme/sandbox/${customerId}`)).to.include(
        'The state is what Forecourt did last.',
      )

      expect(await readText(path)).to.include('Accounting has no such order of this customer.')
      const { accounting } = api.upstreams.forTenant(tenant)!.backOffice
      const requestScope = createPageScope(Date.now)
      const goods = { sku: 'OL-1001', uom: 'litre', unitPrice: '1180.00' }
      const draft = createOrderDraft({ reference, customerId, goods })
      const placed = await accounting.placeOrder(draft, { requestScope, priority: 'checkout' })
      requestScope.leave()
      if (placed.state !== 'placed') throw new Error(placed.reason)
      expect(await readText(path)).to.match(/ Confirmed Payment .* Shipments none Invoiced no /)
      const { controlAddress } = api.systems.accounting
      await shipOrder(controlAddress, 'acme', placed.order.order_id)
      await issueInvoice(controlAddress, 'acme', placed.order.order_id)
      expect(await readText(path)).to.match(/ Shipped Payment .* Shipments 1 shipment Invoiced all of it, or a part /)

      await api.fault('accounting', { status: 503 })
      const failing = await readText(path)
      await api.clearFaults()
      expect(failing).to.match(/Not known Accounting did not say: HTTP 503\..*overloaded or restarting/)
      expect(failing).to.include('Nobody is named to call about accounting of Parts [acme] (sandbox).')
      const stranger = await insertPending({ tenant_id: 'stranger' })
      for (const id of [stranger, 'none', '%00'])
        expect((await get(support, `/orders/${id}/accounting`)).status, id).to.equal(404)
    })

    it('say of a number of an order or an invoice that only orders through Forecourt are found', async () => {
      const said = 'only orders that were placed through Forecourt are found here, and no invoices.'
      for (const q of ['SO-100106', '#100106', 'IN 200009', 'INV/2026/0001'])
        expect(await readText(`/find?q=${encodeURIComponent(q)}`), q).to.include(said)
      for (const q of ['', 'brake pads', 'C-7', 'svc_live_sec_none'])
        expect(await readText(`/find?q=${encodeURIComponent(q)}`), q).to.not.include(said)
      expect(await readText('/find')).to.include('Order if it was placed through Forecourt: its id')
    })

    it('end an order that accounting refuses, if accounting does not have it', async () => {
      const order = await insertPending()
      const end = (browser: OperatorBrowser) => post(`/orders/${order}/end`, { csrf: browser.csrf }, browser.cookie)
      expect((await end(support)).status).to.equal(403)
      expect([(await end(operator)).headers.location, await statusOf(order)]).to.deep.equal([
        `/orders/${order}`,
        'REJECTED',
      ])
      expect(await readText(`/orders/${order}`)).to.include('An operator ended the order')
      const event = api.db.selectFrom('events').select('data').where('resource_id', '=', order)
      expect(JSON.parse((await event.executeTakeFirstOrThrow()).data).reject_reason).to.equal('ENDED_BY_OPERATOR')
      const audited = api.db.selectFrom('audit_log').select(['action', 'outcome']).where('action', '=', 'order.end')
      expect((await audited.execute()).map(({ outcome }) => outcome)).to.have.members(['refused', 'done'])
    })

    it('not end an order whose latest attempt got no answer', async () => {
      const order = await insertPending()
      const more = { order_id: order, number: 1, at: AT, ms: 1 }
      await insertOrderTry(api.db, { ...more, outcome: 'timeout', kind: 'no response in time' })
      await post(`/orders/${order}/end`, { csrf: operator.csrf }, operator.cookie)
      expect(await statusOf(order)).to.equal('PENDING')
    })

    it('show what shoppers and the system say of a product, in bands and never in counts', async () => {
      expect(await readText('/products/acme/live/BP-1001')).to.match(
        /Product \(inventory\) Shown .* Responded .* Availability \(inventory\) Shown (IN_STOCK|LOW|OUT|LEAD_TIME)/,
      )
      await insertPricelessProduct(api.db)
      const total = { total: '10.00' }
      const cart = await insertCartOf('BP-1009', total, { lines: [{ line_id: 'line_1', unit_price: '10.00' }] })
      const lacking = await insertCartOf('BP-1009', { total: '0' }, { totals: null, lines: [], unpriced: ['BP-1009'] })
      const unpriced = await insertCartOf('BP-1009', null)
      await insertCartOf('bp-1009', { total: '10.00' })
      const priceless = await readText('/products/acme/live/BP-1009')
      expect(priceless).to.include(
        'Not set pricing has no price for it Ask whoever runs pricing to set a price for it.',
      )
      for (const said of [
        'Price: pricing has no price for it. Ask whoever runs pricing to set a price for it. Until then, shoppers who are not signed in see no price, and only customers who have a price of their own can order it.',
        'Missing since 20 Nov 2026, 09:05:00 GMT-5, or since longer ago: that is when Forecourt last read a change of this product. Whether it was ever set for shoppers who are not signed in, and how many of them saw the product without it, is not recorded.',
        `A cart was priced with it at ${PRICED}, that of customer C-77 a: this customer had a price and a tax then, of its own or the one of all. Nobody is named to call about pricing of Parts [acme].`,
        'Open carts that hold this product: 3 (1 cart of JMD 10.00 in total when last priced, 2 carts without a total). They belong to customers, who may have a price and a tax of their own: 1 cart had both for this product when last priced; 1 cart lacked one of them when last priced, and cannot be ordered until it is set; of 1 cart it is not known, because the last total, if there is one, does not include this product. Each checkout asks again for its customer, and is refused only if the price or the tax is missing then. No checkout that was refused for it is recorded. Nothing is lost: the carts are kept.',
        `${cart} of customer C-77 a (priced with this product at JMD 10.00 per EA at ${PRICED}, for this customer; the checkout asks again)`,
        `${lacking} of customer C-77 a (without a price or a tax of this product at ${PRICED}, for this customer too; the checkout is refused until it is set)`,
        `${unpriced} of customer C-77 a (without a total)`,
      ])
        expect(priceless).to.include(said)
      expect(priceless).to.not.include('Their checkout is refused')
      await api.fault('pricing', { status: 503 })
      const failing = await readText('/products/acme/live/BP-1002')
      await api.clearFaults()
      expect(failing).to.match(/Price \(pricing\) Missing HTTP 503 Failed HTTP 503 .*overloaded or restarting/)
      expect((await get(support, '/products/acme/live/NO-SUCH-SKU')).status).to.equal(404)
    })

    it('say of each promotion code of a cart whether it was applied, and why not', async () => {
      const promotions = [
        { code: 'WELCOME10', description: '10 % off', status: 'APPLIED', reason: null, discount: '12.50' },
        { code: 'EASTER25', description: null, status: 'NOT_APPLICABLE', reason: 'EXPIRED', discount: '0' },
      ]
      const pricing = { version: 1, promotions, totals: null, lines: [], unpriced: [], priced_at: AT, expires_at: AT }
      const codes = [...promotions, { code: 'FLEET5', description: null }].map(({ code, description }) => ({
        code,
        description,
      }))
      const stored = { promotions: JSON.stringify(codes), pricing: JSON.stringify(pricing) }
      await api.db.updateTable('carts').set(stored).where('cart_id', '=', cartId).execute()
      expect(await readText(`/carts/${cartId}`))
        .to.include('WELCOME10 (10 % off): Applied: JMD 12.50 off.')
        .and.include('EASTER25 : Not applied: it has expired.')
        .and.include(
          'FLEET5 : Pricing applied it when the shopper entered it. The cart has not been priced since then.',
        )
      const none = { promotions: '[]', pricing: null }
      await api.db.updateTable('carts').set(none).where('cart_id', '=', cartId).execute()
      expect(await readText(`/carts/${cartId}`)).to.include('Promotion codes none')
    })

    it('show a cart, a customer, an account, a key and a code, without any planted word', async () => {
      const { record } = await api.issueKey({ mode: 'live', label: 'Till 5' })
      await insertRecord('refused-by-key', 'acme', { key_id: record.key_id })
      expect(await readText(`/carts/${cartId}`))
        .to.include('Open')
        .and.include('The cart is empty')
      const customer = await readText('/customers/acme/live/C-77%20a')
      expect(customer).to.include('shp_0000000000000000000001').and.include(cartId).and.include('ord_')
      expect(customer).to.not.include('Nothing of this customer is stored here')
      expect(await readText('/customers/acme/live/C-78')).to.include('Nothing of this customer is stored here')
      expect(await readText('/shoppers/shp_0000000000000000000002')).to.include('not verified')
      const key = await readText(`/keys/${record.key_id}`)
      expect(key).to.include('Till 5').and.include('storefront:catalog').and.include('refused-by-key')
      expect(key).to.include('none: no browser may use this key')
      expect(await readText('/codes/circuit_open')).to.include('What it means')
    })
  })
}

/** Pricing had no price for it when it was read. */
const insertPricelessProduct = (db: Api['db']) =>
  db
    .insertInto('catalog_products')
    .values({
      ...{ tenant_id: 'acme', mode: 'live', sku: 'BP-1009', active: 1, price: 'null', popularity: 0, created_at: AT },
      sequence: Date.parse('2026-11-20T14:05:00.000Z') * 1_000,
    })
    .execute()

async function insertIncident(db: Api['db'], incident_id: string, tenant_id: string): Promise<void> {
  const place = { tenant_id, mode: 'live', system: 'pricing', section: 'price' } as const
  const times = { began_at: AT, last_at: AT, ended_at: AT, well_at: null }
  const details = { codes: '{"downstream_timeout":1}', causes: null, samples: '[]', impact: null }
  await db
    .insertInto('incidents')
    .values({ incident_id, ...place, ...times, ...details, answers: 1 })
    .execute()
}
