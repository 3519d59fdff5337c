import { UpstreamError } from '../../../src/errors.ts'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import { createRecordOnce, toExternalName } from '../client/create-record-once.ts'
import type { OdooContext } from '../context.ts'
import type { CustomerReader } from './customer-reader.ts'
import { toPartnerName } from './partner-name-mapping.ts'

/** Creates a contact once: the reference becomes its external id. */
export function connectCreateCustomer(
  { rpc }: OdooContext,
  { customer }: CustomerReader,
): Required<Pick<AccountingPort, 'createCustomer'>> {
  return {
    async createCustomer({ reference, email, first_name, last_name, company, phone }, call) {
      const values = [
        ['name', toPartnerName({ first_name, last_name })],
        ['email', email],
        ...(phone ? [['phone', phone]] : []),
        ...(company ? [['company_name', company]] : []),
      ] as [string, string][]
      const rows = { fields: values.map(([field]) => field), data: [values.map(([, value]) => value)] }
      const id = await createRecordOnce(rpc, 'res.partner', `customer_${toExternalName(reference)}`, rows, call)
      const created = await customer(String(id), call)
      if (!created) throw new UpstreamError('error', 'the new contact cannot be read')
      return created
    },
  }
}
