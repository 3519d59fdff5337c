import { type Static, Type } from 'typebox'
import type { Call } from '../../../src/ports/call.ts'
import type { Address, CustomerAddress } from '../../../src/ports/customer.ts'
import { responseSchema } from '../../../src/upstream/client/response-schema.ts'
import type { Rpc } from '../client/rpc.ts'
import { nullable, TrytonBoolean, TrytonId } from '../client/tryton-values.ts'
import type { TrytonContext } from '../context.ts'
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
const FIELDS = ['party', 'street', 'postal_code', 'city', 'invoice', 'delivery', 'country.code', 'subdivision.name']
const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const isCountryCode = (line: string | undefined) => /^[A-Z]{2}$/.test(line ?? '') && countries.of(line!) !== undefined
const Ids = responseSchema(Type.Array(TrytonId))
const ORDER = [
  ['sequence', 'ASC NULLS FIRST'],
  ['id', 'ASC'],
]

export const readAddresses = (
  { rpc }: Pick<TrytonContext, 'rpc'>,
  domain: unknown[],
  call: Call,
): Promise<AddressRow[]> => rpc(AddressRows, 'party.address.search_read', [domain, 0, null, ORDER, FIELDS], call)

/**
 * Maps an address; `null` when its country is unknown, because a storefront could not show it. A country that Tryton
 * does not have is the last line of the street.
 */
export function toAddress(row: AddressRow | undefined, { country }: Pick<TrytonSettings, 'country'>): Address | null {
  if (row === undefined) return null
  const [line1 = '', ...more] = (row.street ?? '').split('\n').filter(Boolean)
  const foreignCountry = !row['country.'] && isCountryCode(more.at(-1)) ? more.pop() : undefined
  const code = row['country.']?.code ?? foreignCountry ?? country
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

/** Maps the addresses of a party. The first delivery address is the default. */
export function toCustomerAddresses(rows: readonly AddressRow[], settings: TrytonSettings): CustomerAddress[] {
  const visible = rows.flatMap((row) => {
    const address = toAddress(row, settings)
    return address && (address.line1 || address.city) ? [{ row, address }] : []
  })
  const defaultRow = visible.find(({ row }) => row.delivery) ?? visible[0]
  return visible.map(({ row, address }) => ({
    address_id: String(row.id),
    is_default: row === defaultRow?.row,
    ...address,
  }))
}

/** Returns the id of a party address with the same text. A new one is created when there is none, and never becomes a default. */
export async function findOrCreateAddress(
  context: TrytonContext,
  party: number,
  address: Address,
  call: Call,
): Promise<number> {
  const existing = await findAddress(context, party, address, call)
  if (existing !== null) return existing
  const place = await findCountryAndSubdivision(context, address, call)
  const region = place.subdivision === null ? address.region : null
  const foreignCountry = place.country === null ? address.country : null
  const street = [address.line1, address.line2, region, foreignCountry].filter(Boolean).join('\n')
  const { city, postal_code } = address
  const values = { party, street, city, postal_code, ...place, ...NO_DEFAULT }
  const [createdId] = await context.rpc(Ids, 'party.address.create', [[values]], call)
  return createdId!
}

/** Returns the id of a party address with the same text, or `null`. */
export async function findAddress(
  context: Pick<TrytonContext, 'rpc' | 'settings'>,
  party: number,
  address: Address,
  call: Call,
): Promise<number | null> {
  const rows = await readAddresses(context, [['party', '=', party]], call)
  const defaultCountry = context.settings.country ?? address.country
  return rows.find((row) => possibleTexts(row, defaultCountry).includes(normalize(address)))?.id ?? null
}

/** Returns the ids of the country and the subdivision of an address; `null` for one that Tryton does not have. */
export async function findCountryAndSubdivision({ rpc }: Pick<TrytonContext, 'rpc'>, address: Address, call: Call) {
  const domain = [['code', '=', address.country]]
  const [country = null] = await rpc(Ids, 'country.country.search', [domain, 0, 1, null], call)
  const subdivision = country === null ? null : await findSubdivision(rpc, country, address.region, call)
  return { country, subdivision }
}

const NO_DEFAULT = { invoice: false, delivery: false }

async function findSubdivision(rpc: Rpc, country: number, region: string | null, call: Call) {
  if (!region) return null
  const name = region.replace(/[\\%_]/g, '\\$&')
  const domain = [
    ['country', '=', country],
    ['name', 'ilike', name],
  ]
  const [found] = await rpc(Ids, 'country.subdivision.search', [domain, 0, 1, [['id', 'ASC']]], call)
  return found ?? null
}

/**
 * Returns the texts that a stored address may stand for. Without a country it is in the default country, unless its
 * street names another one.
 */
function possibleTexts(row: AddressRow, defaultCountry: string): string[] {
  const address = toAddress(row, { country: '' })!
  return address.country ? [normalize(address)] : [normalize(address), normalize(address, defaultCountry)]
}

const normalize = (address: Address, country = address.country) =>
  [address.line1, address.line2, address.region, country, address.city, address.postal_code]
    .filter(Boolean)
    .join(' ')
    .replace(/[\s,]+/g, ' ')
    .toLowerCase()
