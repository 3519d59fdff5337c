import type { Customer, CustomerDraft } from '../../../src/ports/customer.ts'

/** Stands between first and last name in the name of a party's mailbox, where people see a space. A party has but one name. */
const BETWEEN = '\u00a0'

/** The name of a new party, and of its mailbox: the person who reads the letters. */
export function toPartyNames({ first_name, last_name, company }: CustomerDraft): { party: string; mailbox: string } {
  const person = `${first_name} ${last_name}`.trim()
  return { party: company || person, mailbox: `${first_name}${BETWEEN}${last_name}` }
}

type Names = Pick<Customer, 'first_name' | 'last_name' | 'company' | 'customer_type'>

/** A party is a person when it bears the name of its mailbox; one that Forecourt did not make, when nothing speaks for a business. */
export function parsePartyNames(party: string, mailbox: string | null, isBusiness: boolean): Names {
  const [first, last] = split(mailbox ?? party)
  if (mailbox === null && isBusiness) return business(party, null, null)
  if (mailbox !== null && mailbox.replaceAll(BETWEEN, ' ').trim() !== party) return business(party, first, last)
  return { first_name: first, last_name: last, company: null, customer_type: 'INDIVIDUAL' }
}

const business = (company: string, first_name: string | null, last_name: string | null): Names => ({
  ...{ first_name, last_name, company: company || null, customer_type: 'BUSINESS' },
})

function split(name: string): [string | null, string | null] {
  const at = name.includes(BETWEEN) ? name.indexOf(BETWEEN) : name.lastIndexOf(' ')
  return at < 0 ? [name || null, null] : [name.slice(0, at) || null, name.slice(at + 1) || null]
}
