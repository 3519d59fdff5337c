import type { Rpc } from '../../../adapters/odoo/client/rpc.ts'
import type { ExaminationContext } from '../../../adapters/odoo/doctor/examination-context.ts'
import { UpstreamError } from '../../../src/errors.ts'
import { createCall } from '../../support/create-call.ts'
import { odooMerchant } from '../../support/odoo/connect-odoo.ts'

/** Answers each model with records, or with a failure. */
export function contextWith(answers: Record<string, object[] | UpstreamError>): ExaminationContext {
  const rpc = {
    call: async () => ({ uid: 2, tz: 'UTC' }),
    hasJson2: () => true,
    async search(_shape: unknown, model: string) {
      const records = answers[model]
      if (records instanceof UpstreamError) throw records
      return { length: records!.length, records }
    },
  } as unknown as Rpc
  const facts = { ...odooMerchant, now: () => new Date('2026-11-25T12:00:00Z') }
  const listDatabases = async () => null
  return { rpc, listDatabases, settings: { api_key: 'secret' }, facts, systems: ['pricing'], call: createCall }
}
