import { expect } from 'chai'
import { pastOrders } from '../../../fixtures/orders.ts'
import { MAX_INVOICE_DOCUMENT_BYTES } from '../../../src/ports/invoice.ts'
import { type Api, startApi } from '../../support/api.ts'
import { type ScriptedUpstream, startScriptedUpstream, type UpstreamScript } from '../../support/scripted-upstream.ts'
import { type CartShopper, cartShopper } from '../carts/cart-shopper-client.ts'

const invoiceId = pastOrders.paid.invoices[0]!.invoice_id
const path = `/v1/invoices/${invoiceId}/document`

/** Sends this for each document. */
const sendDocument =
  (type: string, body: string | Buffer, status = 200): UpstreamScript =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body)

const pdfOf = (length: number) => Buffer.concat([Buffer.from('%PDF-1.4\n')], length)

describe('GET /v1/invoices/:invoice_id/document', () => {
  let api: Api
  let ledger: ScriptedUpstream
  let document: UpstreamScript
  let shopper: CartShopper
  let scripted: CartShopper

  before(async () => {
    ledger = await startScriptedUpstream()
    api = await startApi({
      merchants: (of) => {
        const systems = of('zenith')
        const accounting = { ...systems.accounting!, address: ledger.address }
        return [{ merchant: 'scans', live: {}, sandbox: { ...systems, accounting } }]
      },
    })
    const sandbox = api.systems.accounting.address
    // All but documents comes from the sandbox.
    ledger.script = async (response, received, request) => {
      if (received.path.includes('/document')) return document(response, received, request)
      const reply = await fetch(`${sandbox}/zenith${received.path}`, { headers: { authorization: 'Bearer sandbox' } })
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text())
    }
    shopper = await cartShopper(api)
    scripted = await cartShopper(api, { merchant: 'scans' })
  })
  after(async () => {
    await api?.[Symbol.asyncDispose]()
    await ledger?.[Symbol.asyncDispose]()
  })

  it('sends the PDF as a file to save, which no cache keeps and no browser runs', async () => {
    const { status, headers, text } = await shopper.ask('GET', path)
    expect(status).to.equal(200)
    expect(headers).to.include({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="invoice-${invoiceId}.pdf"`,
      'content-length': String(text.length),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(text)
      .to.match(/^%PDF-1\.4\n/)
      .and.include(`(Invoice ${invoiceId})`)
      .and.match(/%%EOF\n$/)
  })

  it('has the positions of its objects right', async () => {
    const { text } = await shopper.ask('GET', path)
    const start = Number(/startxref\n(\d+)\n/.exec(text)![1])
    const positions = [...text.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, position]) => Number(position))
    expect(positions).to.have.length.greaterThan(4)
    for (const [index, position] of positions.entries())
      expect(text.slice(position)).to.match(new RegExp(`^${index + 1} 0 obj\n`))
  })

  it('is 404 for another customer, as the invoice itself is, without a call for the document', async () => {
    const stranger = await cartShopper(api, { customer: 'C-1008' })
    const before = api.systems.accounting.calls.readInvoiceDocument
    const [foreign, absent] = [await stranger.ask('GET', path), await stranger.ask('GET', '/v1/invoices/none/document')]
    expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'not_found'])
    expect({ ...foreign.body, request_id: '' }).to.deep.equal({ ...absent.body, request_id: '' })
    expect(api.systems.accounting.calls.readInvoiceDocument).to.equal(before)
  })

  for (const code of ['not_found', 'not_offered'])
    it(`says that there is no document when accounting responds ${code}`, async () => {
      document = sendDocument('application/json', JSON.stringify({ error: code, detail: '' }), 404)
      const { status, body } = await scripted.ask('GET', path)
      expect([status, body.code]).to.deep.equal([404, 'document_not_available'])
    })

  for (const [what, type, bytes] of [
    ['HTML', 'text/html', Buffer.from('<p>Please sign in')],
    ['HTML that is called a PDF', 'application/pdf', Buffer.from('<p>Please sign in')],
    ['a PDF that is called HTML', 'text/html', pdfOf(20)],
    ['a PDF that is too large', 'application/pdf', pdfOf(MAX_INVOICE_DOCUMENT_BYTES + 1)],
  ] as const)
    it(`is 502 when accounting sends ${what}`, async () => {
      document = sendDocument(type, bytes)
      const { status, body } = await scripted.ask('GET', path)
      expect([status, body.code]).to.deep.equal([502, 'downstream_error'])
    })

  it('sends a PDF of the largest size', async () => {
    document = sendDocument('application/pdf; charset=binary', pdfOf(MAX_INVOICE_DOCUMENT_BYTES))
    const { status, bytes } = await scripted.ask('GET', path)
    expect([status, bytes.byteLength]).to.deep.equal([200, MAX_INVOICE_DOCUMENT_BYTES])
  })

  it('leaves the circuit closed however often it fails', async () => {
    document = sendDocument('text/html', 'Error', 500)
    for (let n = 0; n < 8; n += 1) expect((await scripted.ask('GET', path)).status).to.equal(502)
    expect((await scripted.ask('GET', `/v1/invoices/${invoiceId}`)).status).to.equal(200)
  })
})
