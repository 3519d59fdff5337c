import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { DoctorFinding, ExaminationScope } from '../../../src/ports/doctor.ts'
import type { HttpClient, HttpResponse } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { checkClockSkew } from '../../check-clock-skew.ts'
import { createFinding } from '../../create-finding.ts'

const Version = responseSchema(Type.Object({ result: Type.String({ pattern: '^\\d+\\.\\d+' }) }))
/** The Tryton series that this adapter is tested with. */
const TESTED_SERIES = ['6.0', '7.8', '8.2']
/** The paths at which the server returns its version, up to 7.8 and from 8.0 on. */
const PATHS = ['/', '/rpc/']

export interface ServerCheck {
  findings: DoctorFinding[]
  /** Such as 8.2; `null` when the server is not Tryton. */
  series: string | null
}

/** Checks that a Tryton server responds at the address, its version and its clock. It needs no login. */
export async function checkServer(
  client: HttpClient,
  scope: ExaminationScope,
  facts: MerchantFacts,
): Promise<ServerCheck> {
  const body = { id: 1, method: 'common.server.version', params: [] }
  const ask = (path: string) => client.send({ method: 'POST', path, body }, scope.call())
  let response = await ask(PATHS[0]!)
  if (response.status === 405) response = await ask(PATHS[1]!)
  const version = parseVersion(response)
  if (version === null) {
    const findings = [
      createFinding(
        'error',
        'address',
        `the server at the address is not Tryton (status ${response.status})`,
        'Set {path}.address to the address of the Tryton server, without the database: http://tryton.example:8000',
        { blocks: true },
      ),
    ]
    return { findings, series: null }
  }
  const series = version.split('.', 2).join('.')
  const remedy = `Test every call before you rely on it: this adapter is tested with Tryton ${TESTED_SERIES.join(', ')}, and other series differ`
  const finding = TESTED_SERIES.includes(series)
    ? createFinding('note', 'version', `Tryton ${version}`, '')
    : createFinding('warning', 'version', `the server runs Tryton ${version}`, remedy)
  return { findings: [finding, ...checkClockSkew(response, facts.now())], series }
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
