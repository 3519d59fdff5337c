import { type TSchema, Type } from 'typebox'
import { UpstreamError } from '../../src/errors.ts'
import { forecourtCommand } from '../../src/installed-command-line.ts'
import type { MerchantFacts } from '../../src/ports/adapter.ts'
import type { DoctorFinding, ExaminationScope } from '../../src/ports/doctor.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../../src/ports/http-client.ts'
import { responseSchema } from '../../src/upstream/client/response-schema.ts'
import { checkClockSkew } from '../check-clock-skew.ts'
import type { RestSettings } from './adapter.ts'
import { ItemRow } from './item-mapping.ts'
import { PriceRow } from './pricing-port.ts'
import { UnknownRows } from './protocol-values.ts'

const HealthShape = responseSchema(Type.Object({ status: Type.Literal('ok') }))
const ListShape = responseSchema(Type.Object({ data: UnknownRows }))
const MAX_ROWS = 100
const PROTOCOL_HELP = `${forecourtCommand} sandbox protocol prints the response of each call`

/** Checks that the system speaks the protocol and accepts the token, and reports invalid members of its rows. */
export async function* examine(
  { token }: RestSettings,
  client: HttpClient,
  facts: MerchantFacts,
  { systems, call }: ExaminationScope,
): AsyncIterable<DoctorFinding> {
  const send = (request: HttpRequest) =>
    client.send({ ...request, headers: { authorization: `Bearer ${token}` } }, call())
  const response = await send({ method: 'GET', path: '/health' })
  yield* checkClockSkew(response, facts.now())
  const healthFinding = checkHealth(response)
  if (healthFinding) yield healthFinding
  if (healthFinding?.blocks) return
  if (systems.includes('inventory')) {
    const query = { limit: MAX_ROWS, include: 'product,stock' }
    yield* findInvalidRows(await send({ method: 'GET', path: '/products', query }), 'GET /products', ItemRow)
  }
  if (systems.includes('pricing')) yield* await checkPrices(send)
}

function checkHealth({ status, text }: HttpResponse): DoctorFinding | null {
  const createError = (check: string, finding: string, remedy: string, blocks: boolean): DoctorFinding => ({
    check,
    severity: 'error',
    finding,
    remedy,
    blocks,
  })
  if (status === 401 || status === 403) {
    const remedy = 'Set {path}.token to the token that the system expects'
    return createError('token', `the token is rejected (GET /health responded ${status})`, remedy, true)
  }
  if (status === 404) {
    const remedy = `Check the path in {path}.address: the paths of the protocol are appended to it. ${PROTOCOL_HELP}`
    return createError('path', 'GET /health responded 404: the protocol is not served at this address', remedy, false)
  }
  try {
    if (status === 200) HealthShape.parse(JSON.parse(text))
    else throw new UpstreamError('invalid', `responded ${status}`)
    return null
  } catch (failure) {
    if (!(failure instanceof SyntaxError) && !(failure instanceof UpstreamError)) throw failure
    const cause = failure instanceof UpstreamError ? failure.message : 'no JSON'
    const remedy = `Check {path}.address, and any proxy in front of the system. ${PROTOCOL_HELP}`
    return createError('protocol', `GET /health does not follow the protocol: ${cause}`, remedy, false)
  }
}

/** Checks the prices of SKUs from the price change feed. */
async function checkPrices(send: (request: HttpRequest) => Promise<HttpResponse>): Promise<DoctorFinding[]> {
  const query = { since: '1970-01-01T00:00:00Z', limit: MAX_ROWS, offset: 0 }
  const rows = parseRowList(await send({ method: 'GET', path: '/changes/prices', query })) ?? []
  const skus = rows.flatMap((row) => findSku(row) ?? [])
  if (skus.length === 0) return []
  const response = await send({ method: 'POST', path: '/prices', body: { skus, customer_id: null } })
  return findInvalidRows(response, 'POST /prices', PriceRow)
}

/** Reports the rows that the adapter leaves out, by the member that is invalid. */
function findInvalidRows(response: HttpResponse, endpoint: string, schema: TSchema): DoctorFinding[] {
  const rows = parseRowList(response)
  // A response without a list fails the operation itself.
  if (rows === null) return []
  const rowSchema = responseSchema(schema)
  const invalidRows = rows.flatMap((row) => {
    try {
      rowSchema.parse(row)
      return []
    } catch (error) {
      return [{ sku: findSku(row) ?? '(no sku)', reason: (error as Error).message }]
    }
  })
  return [...Map.groupBy(invalidRows, ({ reason }) => reason)].map(([reason, rowsOfReason]) => ({
    check: 'protocol',
    severity: 'error',
    finding: `${endpoint}: ${rowsOfReason.length} of ${rows.length} rows are left out, ${reason} (${rowsOfReason
      .slice(0, 10)
      .map(({ sku }) => sku)
      .join(', ')})`,
    remedy: `Correct that member in the responses of the system. ${PROTOCOL_HELP}`,
  }))
}

function parseRowList({ status, text }: HttpResponse): unknown[] | null {
  if (status !== 200) return null
  try {
    return ListShape.parse(JSON.parse(text)).data
  } catch {
    return null
  }
}

function findSku(row: unknown): string | undefined {
  const sku = (row as { sku?: unknown } | null)?.sku
  return typeof sku === 'string' ? sku : undefined
}
