import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Examination, Finding, HttpClient, HttpResponse, MerchantFacts } from '../../../src/ports/adapter.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { checkClockSkew } from '../../clock-skew.ts'
import { createFinding } from './check.ts'

const Version = responseSchema(Type.Object({ result: Type.String({ pattern: '^\\d+\\.\\d+' }) }))
/** The series that this adapter was made with. */
const SERIES = '6.0'

/** Whether a Tryton server answers at the address, which, and what time it has. It asks without a login. */
export async function checkServer(
  client: HttpClient,
  examination: Examination,
  facts: MerchantFacts,
): Promise<Finding[]> {
  const body = { id: 1, method: 'common.server.version', params: [] }
  const reply = await client.send({ method: 'POST', path: '/', body }, examination.call())
  const version = versionIn(reply)
  if (version === null)
    return [
      createFinding(
        'error',
        'address',
        `what answers at the address is not a Tryton server (status ${reply.status})`,
        'Give the address of the Tryton server itself in {path}.address, without the database: http://tryton.example:8000',
        { blocks: true },
      ),
    ]
  const clock = checkClockSkew(reply, facts.now())
  if (version.startsWith(`${SERIES}.`)) return [createFinding('note', 'version', `Tryton ${version}`, ''), ...clock]
  const remedy = `Try every call before you rely on it: this adapter was made with Tryton ${SERIES}, and other series differ`
  return [createFinding('warning', 'version', `Tryton ${version} answers there`, remedy), ...clock]
}

function versionIn({ status, text }: HttpResponse): string | null {
  if (status !== 200) return null
  try {
    return Version.parse(JSON.parse(text)).result
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof UpstreamError) return null
    throw error
  }
}
