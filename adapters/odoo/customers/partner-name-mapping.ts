import type { Customer, CustomerDraft } from '../../../src/ports/customer.ts'
import { toText } from '../client/odoo-values.ts'
import type { PartnerRow } from './partner-schemas.ts'

/** Separates first and last name, where people see a space. A contact has only one name. */
const NAME_SEPARATOR = '\u00a0'

/** Returns the name of the contact of a new customer. */
export const toPartnerName = ({ first_name, last_name }: Pick<CustomerDraft, 'first_name' | 'last_name'>): string =>
  `${first_name}${NAME_SEPARATOR}${last_name}`

type Names = Pick<Customer, 'first_name' | 'last_name' | 'company' | 'customer_type'>

/** Parses the names of a contact: a company, a person of one, or a person. */
export function parsePartnerName({ name, is_company, company_name, commercial_partner_id, id }: PartnerRow): Names {
  const own = toText(name)
  if (is_company) return { first_name: null, last_name: null, company: own, customer_type: 'BUSINESS' }
  const isEmployee = commercial_partner_id.id !== id && commercial_partner_id.is_company
  const company = isEmployee ? toText(commercial_partner_id.name) : toText(company_name)
  const [first_name, last_name] = splitName(own ?? '')
  return { first_name, last_name, company, customer_type: company === null ? 'INDIVIDUAL' : 'BUSINESS' }
}

function splitName(name: string): [string | null, string | null] {
  const at = name.includes(NAME_SEPARATOR) ? name.indexOf(NAME_SEPARATOR) : name.lastIndexOf(' ')
  return at < 0 ? [name || null, null] : [name.slice(0, at) || null, name.slice(at + 1) || null]
}
