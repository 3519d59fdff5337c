import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Customer } from '../../../src/ports/customer.ts'
import { parseRecordId, toIsoTime, toText } from '../client/odoo-values.ts'
import type { OdooContext } from '../context.ts'
import { toCustomerAddresses } from './addresses.ts'
import { parsePartnerName } from './partner-name-mapping.ts'
import { type PartnerRow, PartnerRows, partnerSpecification } from './partner-schemas.ts'

export type CustomerReader = Required<Pick<AccountingPort, 'customer' | 'findCustomer'>>

/** Reads customers: Odoo's contacts. An archived one is on hold. */
export function createCustomerReader(context: OdooContext): CustomerReader {
  const { rpc } = context

  async function readPartner(domain: unknown[], call: Call): Promise<PartnerRow | undefined> {
    const search = {
      domain: [...domain, ['active', 'in', [true, false]]],
      specification: partnerSpecification,
      order: 'active desc, id',
      limit: 1,
    }
    return (await rpc.search(PartnerRows, 'res.partner', search, call)).records[0]
  }

  async function toCustomer(row: PartnerRow, call: Call): Promise<Customer> {
    const { hasCreditLimits, countryCode } = await context.readCompany(call)
    const hasCredit = hasCreditLimits && row.commercial_partner_id.credit_limit > 0
    return {
      customer_id: String(row.id),
      account_number: toText(row.ref),
      email: toText(row.email) ?? '',
      ...parsePartnerName(row),
      phone: toText(row.phone),
      status: row.active ? 'ACTIVE' : 'ON_HOLD',
      payment_methods: hasCredit ? ['CREDIT_TERMS', 'CASH_ON_DELIVERY'] : ['CASH_ON_DELIVERY'],
      addresses: toCustomerAddresses(row, countryCode),
      created_at: toIsoTime(row.create_date),
    }
  }

  return {
    async customer(customerId, call) {
      const id = parseRecordId(customerId)
      const row = id === null ? undefined : await readPartner([['id', '=', id]], call)
      return row ? toCustomer(row, call) : null
    },
    async findCustomer(email, call) {
      const normalized = email.trim().toLowerCase()
      const row = await readPartner([['email_normalized', '=', normalized]], call)
      return row ? toCustomer(row, call) : null
    },
  }
}
