import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Address, CustomerAddress } from '../../../src/ports/customer.ts'
import { responseSchema } from '../../../src/upstream/response-schema.ts'
import type { AccountingContext } from '../accounting-context.ts'
import { nullable, TrytonBoolean, TrytonId } from '../client/tryton-values.ts'
import type { TrytonSettings } from '../settings.ts'

const Text = nullable(Type.String())
const AddressRow = Type.Object({
  id: TrytonId,
  party: TrytonId,
  street: Text,
  postal_code: Text,
  city: Text,
  invoice: TrytonBoolean,
  delivery: TrytonBoolean,
  'country.': Type.Optional(nullable(Type.Object({ code: Type.String() }))),
  'subdivision.': Type.Optional(nullable(Type.Object({ name: Type.String() }))),
})
const AddressRows = responseSchema(Type.Array(AddressRow))
export type AddressRow = Static<typeof AddressRow>
const FIELDS = [
  ...['party', 'street', 'postal_code', 'city', 'invoice', 'delivery'],
  'country.code',
  'subdivision.name',
]
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCountry = (line: string | undefined) => /^[A-Z]{2}$/.test(line ?? '') && countries.of(line!) !== undefined
const Ids = responseSchema(Type.Array(TrytonId))
const ORDER = [
  ['sequence', 'ASC NULLS FIRST'],
  ['id', 'ASC'],
]

export const readAddresses = (
  { rpc }: Pick<AccountingContext, 'rpc'>,
  domain: unknown[],
  call: Call,
): Promise<AddressRow[]> => rpc(AddressRows, 'party.address.search_read', [domain, 0, null, ORDER, FIELDS], call)

/**
 * `null` for one whose country nobody knows: the address would be none that a storefront can show. One that Tryton does not have stands
 * at the end of the street.
 */
export function toAddress(row: AddressRow | undefined, { country }: Pick<TrytonSettings, 'country'>): Address | null {
  if (row === undefined) return null
  const [line1 = '', ...more] = (row.street ?? '').split('\n').filter(Boolean)
  const abroad = !row['country.'] && isCountry(more.at(-1)) ? more.pop() : undefined
  const code = row['country.']?.code ?? abroad ?? country
  if (code === undefined) return null
  const region = row['subdivision.']?.name ?? null
  const { city, postal_code } = row
  return {
    line1,
    line2: more.join(', ') || null,
    city: city ?? '',
    region,
    postal_code: postal_code || null,
    country: code,
  }
}

/** The first one that goods are sent to is the default. */
export function toCustomerAddresses(rows: readonly AddressRow[], settings: TrytonSettings): CustomerAddress[] {
  const shown = rows.flatMap((row) => {
    const address = toAddress(row, settings)
    return address && (address.line1 || address.city) ? [{ row, address }] : []
  })
  const first = shown.find(({ row }) => row.delivery) ?? shown[0]
  return shown.map(({ row, address }) => ({
    ...{ address_id: String(row.id), is_default: row === first?.row },
    ...address,
  }))
}

/** The id of a party's address that reads so; it is made where there is none, and never becomes a default. */
export async function findOrCreateAddress(
  ledger: AccountingContext,
  party: number,
  address: Address,
  call: Call,
): Promise<number> {
  const rows = await readAddresses(ledger, [['party', '=', party]], call)
  const usual = ledger.settings.country ?? address.country
  const same = rows.find((row) => readings(row, usual).includes(said(address)))
  if (same) return same.id
  const [country] = await ledger.rpc(
    Ids,
    'country.country.search',
    [[['code', '=', address.country]], 0, 1, null],
    call,
  )
  const subdivision = country === undefined ? null : await subdivisionOf(ledger, country, address.region, call)
  const region = subdivision === null ? address.region : null
  const abroad = country === undefined ? address.country : null
  const street = [address.line1, address.line2, region, abroad].filter(Boolean).join('\n')
  const { city, postal_code } = address
  const values = { ...{ party, street, city, postal_code, country: country ?? null, subdivision }, ...NO_DEFAULT }
  const [made] = await ledger.rpc(Ids, 'party.address.create', [[values]], call)
  return made!
}

const NO_DEFAULT = { invoice: false, delivery: false }

async function subdivisionOf({ rpc }: AccountingContext, country: number, region: string | null, call: Call) {
  if (!region) return null
  const name = region.replace(/[\\%_]/g, '\\$&')
  const domain = [
    ['country', '=', country],
    ['name', 'ilike', name],
  ]
  const [found] = await rpc(Ids, 'country.subdivision.search', [domain, 0, 1, [['id', 'ASC']]], call)
  return found ?? null
}

/** One without a country is in the usual one, unless its street says another: whatever has no place of its own in Tryton stands there. */
function readings(row: AddressRow, usual: string): string[] {
  const address = toAddress(row, { country: '' })!
  return address.country ? [said(address)] : [said(address), said(address, usual)]
}

const said = (address: Address, country = address.country) =>
  [address.line1, address.line2, address.region, country, address.city, address.postal_code]
    .filter(Boolean)
    .join(' ')
    .replace(/[\s,]+/g, ' ')
    .toLowerCase()
