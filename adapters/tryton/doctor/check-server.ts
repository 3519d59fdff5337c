import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Examination, Finding, MerchantFacts } from '../../../src/ports/adapter.ts'
import type { HttpClient, HttpResponse } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { checkClockSkew } from '../../clock-skew.ts'
import { createFinding } from './check.ts'

const Version = responseSchema(Type.Object({ result: Type.String({ pattern: '^\\d+\\.\\d+' }) }))
/** The Tryton series that this adapter was built for. */
const SERIES = '6.0'

/** Checks that a Tryton server responds at the address, its version and its clock. It needs no login. */
export async function checkServer(
  client: HttpClient,
  examination: Examination,
  facts: MerchantFacts,
): Promise<Finding[]> {
  const body = { id: 1, method: 'common.server.version', params: [] }
  const response = await client.send({ method: 'POST', path: '/', body }, examination.call())
  const version = parseVersion(response)
  if (version === null)
    return [
      createFinding(
        'error',
        'address',
        `the server at the address is not Tryton (status ${response.status})`,
        'Set {path}.address to the address of the Tryton server, without the database: http://tryton.example:8000',
        { blocks: true },
      ),
    ]
  const clock = checkClockSkew(response, facts.now())
  if (version.startsWith(`${SERIES}.`)) return [createFinding('note', 'version', `Tryton ${version}`, ''), ...clock]
  const remedy = `Test every call before you rely on it: this adapter was built for Tryton ${SERIES}, and other series differ`
  return [createFinding('warning', 'version', `the server runs Tryton ${version}`, remedy), ...clock]
}

function parseVersion({ status, text }: HttpResponse): string | null {
  if (status !== 200) return null
  try {
    return Version.parse(JSON.parse(text)).result
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof UpstreamError) return null
    throw error
  }
}
