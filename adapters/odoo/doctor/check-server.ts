import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { MerchantFacts } from '../../../src/ports/adapter.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { DoctorFinding, ExaminationScope } from '../../../src/ports/doctor.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { checkClockSkew } from '../../check-clock-skew.ts'
import { createFinding } from '../../create-finding.ts'
import { majorVersion, readVersion } from '../client/odoo-version.ts'
import { FIRST_JSON2_VERSION } from '../client/rpc.ts'
import type { OdooSettings } from '../settings.ts'

const Version = responseSchema(Type.Object({ version: Type.String({ pattern: '^(saas~)?\\d+\\.\\d+' }) }))
/** The oldest version that this adapter was tested with. */
const FIRST_VERSION = 16
const UPDATE = `Update Odoo to ${FIRST_VERSION} or later`

/** Checks that an Odoo server responds at the address, its version and its clock. It needs no key. */
export async function checkServer(
  settings: OdooSettings,
  client: HttpClient,
  { call }: ExaminationScope,
  facts: MerchantFacts,
): Promise<DoctorFinding[]> {
  const response = await client.send({ method: 'GET', path: '/web/version' }, call())
  const version = (response.status === 200 && parseVersion(response.text)) || (await readOlderVersion(client, call()))
  if (version === null) {
    const finding = `the server at the address is not Odoo ${FIRST_VERSION} or later (status ${response.status})`
    const remedy = `Set {path}.address to the address of the Odoo server, without a path. ${UPDATE}`
    return [createFinding('error', 'address', finding, remedy, { blocks: true })]
  }
  const major = majorVersion(version)
  if (major < FIRST_VERSION)
    return [createFinding('error', 'version', `the server runs Odoo ${version}`, UPDATE, { blocks: true })]
  if (major < FIRST_JSON2_VERSION && !(settings.database && settings.user)) {
    const remedy =
      'Set {path}.database to the name of the database, and {path}.user to the login of the user with the API key'
    return [
      createFinding('error', 'login', `Odoo ${version} needs the database and the user`, remedy, { blocks: true }),
    ]
  }
  return [createFinding('note', 'version', `Odoo ${version}`, ''), ...checkClockSkew(response, facts.now())]
}

function parseVersion(text: string): string | null {
  try {
    return Version.parse(JSON.parse(text)).version
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof UpstreamError) return null
    throw error
  }
}

/** Reads the version of an Odoo without JSON-2; `null` when another program responds. */
async function readOlderVersion(client: HttpClient, call: Call): Promise<string | null> {
  try {
    return await readVersion(client, call)
  } catch (error) {
    if (error instanceof UpstreamError) return null
    throw error
  }
}
