import { type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import type {
  Examination,
  Finding,
  HttpClient,
  HttpRequest,
  HttpResponse,
  MerchantFacts,
} from '../../src/ports/adapter.ts'
import { responseSchema } from '../../src/upstream/response-schema.ts'
import { checkClockSkew } from '../clock-skew.ts'
import type { RestSettings } from './adapter.ts'
import { ItemRow } from './items.ts'
import { PriceRow } from './pricing.ts'
import { UnknownRows } from './protocol.ts'

const Health = responseSchema(Type.Object({ status: Type.Literal('ok') }))
const Listed = responseSchema(Type.Object({ data: UnknownRows }))
const ROWS = 100
const PROTOCOL = 'npx forecourt sandbox protocol prints what each call answers'

/** Whether the protocol is spoken there, with this token, and which members of its rows are not as it says. */
export async function* examine(
  { token }: RestSettings,
  client: HttpClient,
  facts: MerchantFacts,
  { systems, call }: Examination,
): AsyncIterable<Finding> {
  const send = (exchange: HttpRequest) =>
    client.send({ ...exchange, headers: { authorization: `Bearer ${token}` } }, call())
  const reply = await send({ method: 'GET', path: '/health' })
  yield* checkClockSkew(reply, facts.now())
  const ill = healthOf(reply)
  if (ill) yield ill
  if (ill?.blocks) return
  if (systems.includes('inventory')) {
    const query = { limit: ROWS, include: 'product,stock' }
    yield* misfits(await send({ method: 'GET', path: '/products', query }), 'GET /products', ItemRow)
  }
  if (systems.includes('pricing')) yield* await lookAtPrices(send)
}

function healthOf({ status, text }: HttpResponse): Finding | null {
  const error = (check: string, finding: string, remedy: string, blocks: boolean): Finding => ({
    ...{ check, severity: 'error', finding, remedy, blocks },
  })
  if (status === 401 || status === 403) {
    const remedy = 'Give the token that the system expects in {path}.token'
    return error('token', `the token is refused (GET /health answered ${status})`, remedy, true)
  }
  if (status === 404) {
    const remedy = `Look at the path in {path}.address: the calls of the protocol are joined to it. ${PROTOCOL}`
    return error('path', 'GET /health answered 404: the protocol is not at this address', remedy, false)
  }
  try {
    if (status === 200) Health.parse(JSON.parse(text))
    else throw new UpstreamError('invalid', `answered ${status}`)
    return null
  } catch (failure) {
    if (!(failure instanceof SyntaxError) && !(failure instanceof UpstreamError)) throw failure
    const said = failure instanceof UpstreamError ? failure.message : 'no JSON'
    const remedy = `Look at {path}.address, and at what stands in front of the system. ${PROTOCOL}`
    return error('protocol', `GET /health did not answer as the protocol says: ${said}`, remedy, false)
  }
}

/** Of SKUs that the feed of prices tells of. */
async function lookAtPrices(send: (exchange: HttpRequest) => Promise<HttpResponse>): Promise<Finding[]> {
  const query = { since: '1970-01-01T00:00:00Z', limit: ROWS, offset: 0 }
  const rows = rowsOf(await send({ method: 'GET', path: '/changes/prices', query })) ?? []
  const skus = rows.flatMap((row) => skuOf(row) ?? [])
  if (skus.length === 0) return []
  const reply = await send({ method: 'POST', path: '/prices', body: { skus, customer_id: null } })
  return misfits(reply, 'POST /prices', PriceRow)
}

/** A row that does not fit is left out by the adapter: whoever wrote the system should know which member it is. */
function misfits(reply: HttpResponse, question: string, schema: TSchema): Finding[] {
  const rows = rowsOf(reply)
  // An answer that is no list fails the operation itself.
  if (rows === null) return []
  const row = responseSchema(schema)
  const bad = rows.flatMap((one) => {
    try {
      row.parse(one)
      return []
    } catch (error) {
      return [{ sku: skuOf(one) ?? '(no sku)', why: (error as Error).message }]
    }
  })
  return [...Map.groupBy(bad, ({ why }) => why)].map(([why, own]) => ({
    check: 'protocol',
    severity: 'error',
    finding: `${question}: ${own.length} of ${rows.length} rows are left out, ${why} (${own
      .slice(0, 10)
      .map(({ sku }) => sku)
      .join(', ')})`,
    remedy: `Mend that member in what the system answers. ${PROTOCOL}`,
  }))
}

function rowsOf({ status, text }: HttpResponse): unknown[] | null {
  if (status !== 200) return null
  try {
    return Listed.parse(JSON.parse(text)).data
  } catch {
    return null
  }
}

function skuOf(row: unknown): string | undefined {
  const sku = (row as { sku?: unknown } | null)?.sku
  return typeof sku === 'string' ? sku : undefined
}
