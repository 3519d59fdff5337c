import type { Customer, CustomerDraft } from '../../../src/ports/customer.ts'

/** Separates first and last name in the name of an email contact, where people see a space. A party has only one name. */
const NAME_SEPARATOR = '\u00a0'

/** Returns the name of a new party and of its email contact, which is the person who reads the mail. */
export function toPartyNames({ first_name, last_name, company }: CustomerDraft): { party: string; mailbox: string } {
  const person = `${first_name} ${last_name}`.trim()
  return { party: company || person, mailbox: `${first_name}${NAME_SEPARATOR}${last_name}` }
}

type Names = Pick<Customer, 'first_name' | 'last_name' | 'company' | 'customer_type'>

/**
 * Parses the names of a party. It is a person when its name equals that of its email contact; one that Forecourt did
 * not create is a person unless it looks like a business.
 */
export function parsePartyNames(party: string, mailbox: string | null, isBusiness: boolean): Names {
  const [first, last] = splitName(mailbox ?? party)
  if (mailbox === null && isBusiness) return toBusiness(party, null, null)
  if (mailbox !== null && mailbox.replaceAll(NAME_SEPARATOR, ' ').trim() !== party)
    return toBusiness(party, first, last)
  return { first_name: first, last_name: last, company: null, customer_type: 'INDIVIDUAL' }
}

const toBusiness = (company: string, first_name: string | null, last_name: string | null): Names => ({
  first_name,
  last_name,
  company: company || null,
  customer_type: 'BUSINESS',
})

function splitName(name: string): [string | null, string | null] {
  const at = name.includes(NAME_SEPARATOR) ? name.indexOf(NAME_SEPARATOR) : name.lastIndexOf(' ')
  return at < 0 ? [name || null, null] : [name.slice(0, at) || null, name.slice(at + 1) || null]
}
