import { Type } from 'typebox'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import { createFinding } from '../../create-finding.ts'
import { DEFAULT_LANGUAGE } from '../settings.ts'
import type { ExaminationContext } from './examination-context.ts'
import { NEUTRAL_CONTEXT } from './neutral-context.ts'

const Languages = responseSchema(Type.Array(Type.Tuple([Type.String(), Type.String()])))

/** Checks that the language of the shop is installed. Odoo 19 rejects every call in another one. */
export async function checkLanguage({ rpc, settings, call }: ExaminationContext): Promise<DoctorFinding[]> {
  const { language = DEFAULT_LANGUAGE } = settings
  const installed = await rpc.call(Languages, 'res.lang/get_installed', { context: NEUTRAL_CONTEXT }, call())
  if (installed.some(([code]) => code === language)) return []
  const existing = installed.map(([code, name]) => `${code} (${name})`).join(', ')
  return [
    createFinding(
      'error',
      'language',
      `the language ${language} is not installed in Odoo`,
      `Set {path}.language to one of: ${existing}. Or install the language in Odoo (Settings > Translations > Languages)`,
      { blocks: true },
    ),
  ]
}
