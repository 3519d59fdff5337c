import { type Static, Type } from 'typebox'
import type { AccountingPort } from '../../../src/ports/accounting.ts'
import type { Call } from '../../../src/ports/call.ts'
import type { Customer } from '../../../src/ports/customer.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import {
  latestEpochMs,
  nullable,
  parseRecordId,
  TrytonBoolean,
  TrytonDatetime,
  TrytonDecimal,
  TrytonId,
} from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
import type { TrytonSettings } from '../settings.ts'
import { type AddressRow, readAddresses, toCustomerAddresses } from './addresses.ts'
import { toAccountNumber } from './party-code.ts'
import { parsePartyNames } from './party-name-mapping.ts'

const PartyRow = Type.Object({
  id: TrytonId,
  code: nullable(Type.String()),
  name: nullable(Type.String()),
  active: TrytonBoolean,
  create_date: nullable(TrytonDatetime),
  identifiers: Type.Array(TrytonId),
  credit_limit_amount: Type.Optional(nullable(TrytonDecimal)),
})
const PartyRows = responseSchema(Type.Array(PartyRow))
const FIELDS = ['code', 'name', 'active', 'create_date', 'identifiers']

const ContactRow = Type.Object({
  party: TrytonId,
  type: Type.String(),
  value: nullable(Type.String()),
  name: nullable(Type.String()),
})
const ContactRows = responseSchema(Type.Array(ContactRow))
const CONTACT_FIELDS = Object.keys(ContactRow.properties)
const CONTACT_ORDER = [
  ['sequence', 'ASC NULLS FIRST'],
  ['id', 'ASC'],
]
const PHONES = ['phone', 'mobile', 'other']

export type CustomerReader = Required<Pick<AccountingPort, 'customer' | 'findCustomer'>>

/** Reads parties as customers. A deactivated party is a customer on hold; credit terms need a credit limit. */
export function createCustomerReader(context: TrytonContext): CustomerReader {
  const { rpc, capabilities, settings } = context

  async function readCustomers(ids: readonly number[], call: Call): Promise<Customer[]> {
    if (ids.length === 0) return []
    const fields = (await capabilities.has('creditLimits', call)) ? [...FIELDS, 'credit_limit_amount'] : FIELDS
    const ofParties = ['party', 'in', ids]
    const domain = [
      ['id', 'in', ids],
      ['active', 'in', [true, false]],
    ]
    const [parties, contacts, addresses] = await Promise.all([
      rpc(PartyRows, 'party.party.search_read', [domain, 0, null, [['id', 'ASC']], fields], call),
      rpc(
        ContactRows,
        'party.contact_mechanism.search_read',
        [[ofParties, ['type', 'in', ['email', ...PHONES]]], 0, null, CONTACT_ORDER, CONTACT_FIELDS],
        call,
      ),
      readAddresses(context, [ofParties], call),
    ])
    return parties.map((party) => {
      const ofParty = <Row extends { party: number }>(rows: readonly Row[]) =>
        rows.filter((row) => row.party === party.id)
      return toCustomer(party, ofParty(contacts), ofParty(addresses), settings)
    })
  }

  return {
    async customer(customerId, call) {
      const id = parseRecordId(customerId)
      if (id === null) return null
      const [found] = await readCustomers([id], call)
      return found ?? null
    },
    async findCustomer(email, call) {
      const domain = [
        ['type', '=', 'email'],
        ['value', 'ilike', email.replace(/[\\%_]/g, '\\$&')],
        ['party.active', 'in', [true, false]],
      ]
      const params = [domain, 0, 50, [['party', 'ASC']], CONTACT_FIELDS]
      const rows = await rpc(ContactRows, 'party.contact_mechanism.search_read', params, call)
      const found = await readCustomers([...new Set(rows.map(({ party }) => party))], call)
      // A customer is known by their first email address only.
      const matching = found.filter((customer) => customer.email.toLowerCase() === email.toLowerCase())
      return matching.find(({ status }) => status === 'ACTIVE') ?? matching[0] ?? null
    },
  }
}

type PartyRow = Static<typeof PartyRow>
type ContactRow = Static<typeof ContactRow>

function toCustomer(
  party: PartyRow,
  contacts: readonly ContactRow[],
  addresses: readonly AddressRow[],
  settings: TrytonSettings,
): Customer {
  const firstContact = (types: string[]) => contacts.find(({ type, value }) => types.includes(type) && value)
  const email = firstContact(['email'])
  const hasCreditLimit = Boolean(party.credit_limit_amount)
  return {
    customer_id: String(party.id),
    account_number: toAccountNumber(party.code),
    email: email?.value ?? '',
    ...parsePartyNames(party.name ?? '', email?.name ?? null, hasCreditLimit || party.identifiers.length > 0),
    phone: firstContact(['phone', 'mobile'])?.value ?? firstContact(['other'])?.value ?? null,
    status: party.active ? 'ACTIVE' : 'ON_HOLD',
    payment_methods: hasCreditLimit ? ['CREDIT_TERMS', 'CASH_ON_DELIVERY'] : ['CASH_ON_DELIVERY'],
    addresses: toCustomerAddresses(addresses, settings),
    created_at: party.create_date && new Date(latestEpochMs(party.create_date)).toISOString(),
  }
}
