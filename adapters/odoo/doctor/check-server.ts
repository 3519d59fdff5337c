import { Type } from 'typebox'
import { UpstreamError } from '../../../src/errors.ts'
import type { Examination, Finding, MerchantFacts } from '../../../src/ports/adapter.ts'
import type { HttpClient } from '../../../src/ports/http-client.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import { checkClockSkew } from '../../check-clock-skew.ts'
import { createFinding } from '../../doctor-findings.ts'

const Version = responseSchema(Type.Object({ version: Type.String({ pattern: '^(saas~)?\\d+\\.\\d+' }) }))
const FIRST_VERSION = 19
const OLDER_VERSION = 'Update Odoo to 19 or later: this adapter uses its JSON-2 API, which older versions do not have'

/** Checks that an Odoo server responds at the address, its version and its clock. It needs no key. */
export async function checkServer(client: HttpClient, { call }: Examination, facts: MerchantFacts): Promise<Finding[]> {
  const response = await client.send({ method: 'GET', path: '/web/version' }, call())
  const version = response.status === 200 ? parseVersion(response.text) : null
  if (version === null) {
    const finding = `the server at the address is not Odoo ${FIRST_VERSION} or later (status ${response.status})`
    const remedy = `Set {path}.address to the address of the Odoo server, without a path. ${OLDER_VERSION}`
    return [createFinding('error', 'address', finding, remedy, { blocks: true })]
  }
  if (Number.parseInt(version.replace('saas~', ''), 10) < FIRST_VERSION)
    return [createFinding('error', 'version', `the server runs Odoo ${version}`, OLDER_VERSION, { blocks: true })]
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
