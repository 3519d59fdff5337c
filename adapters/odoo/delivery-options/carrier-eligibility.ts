import type { Carrier } from './carrier-reader.ts'
import type { DeliveredGoods } from './delivery-price.ts'
import { sum } from './sum.ts'

export interface DeliveryPlace {
  countryId: number | undefined
  stateId: number | undefined
  postalCode: string | null
}

/** True when a delivery method serves a place and these goods, as Odoo's `_match` decides. */
export function isCarrierOffered(carrier: Carrier, place: DeliveryPlace, goods: DeliveredGoods): boolean {
  const { country_ids, state_ids, must_have_tag_ids, excluded_tag_ids, max_weight, max_volume } = carrier
  if (country_ids.length > 0 && !includes(country_ids, place.countryId)) return false
  if (state_ids.length > 0 && !includes(state_ids, place.stateId)) return false
  if (!hasPrefix(carrier, place.postalCode)) return false
  const tags = new Set(goods.lines.flatMap(({ tagIds }) => tagIds))
  const hasTag = (id: number) => tags.has(id)
  const isTagged = carrier.needs_all_tags ? must_have_tag_ids.every(hasTag) : must_have_tag_ids.some(hasTag)
  if (must_have_tag_ids.length > 0 && !isTagged) return false
  if (excluded_tag_ids.some(hasTag)) return false
  const weight = sum(goods.lines.map((line) => line.weight * line.quantity))
  const volume = sum(goods.lines.map((line) => line.volume * line.quantity))
  return (max_weight === 0 || weight <= max_weight) && (max_volume === 0 || volume <= max_volume)
}

/** The prefixes are regular expressions. A method with one that cannot be read serves no place. */
function hasPrefix({ zip_prefix_ids }: Carrier, postalCode: string | null): boolean {
  if (zip_prefix_ids.length === 0) return true
  if (!postalCode) return false
  try {
    return new RegExp(zip_prefix_ids.map(({ name }) => `^${name}`).join('|')).test(postalCode.toUpperCase())
  } catch {
    return false
  }
}

const includes = (ids: readonly number[], id: number | undefined) => id !== undefined && ids.includes(id)
