import leven from 'leven'
import { LRUCache } from 'lru-cache'

/** The names that other APIs use for parameters and body members of this one, without case and punctuation. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  availability: ['instock', 'stock', 'band'],
  brand: ['manufacturer'],
  category: ['categories', 'collection'],
  code: [
    'promo',
    'promocode',
    'promotion',
    'promotioncode',
    'coupon',
    'couponcode',
    'discount',
    'discountcode',
    'voucher',
    'vouchercode',
  ],
  delivery_option_id: ['deliverymethod', 'deliveryoption', 'shippingmethod', 'shippingoption', 'shippingoptionid'],
  email: ['username', 'user', 'login', 'mail', 'emailaddress', 'useremail'],
  endpoint_url: ['url', 'webhookurl', 'callbackurl'],
  event_types: ['events', 'types', 'topics', 'enabledevents'],
  line1: ['address1', 'addressline1', 'street'],
  line2: ['address2', 'addressline2'],
  lines: ['items', 'lineitems'],
  limit: ['perpage', 'pagesize', 'pagelimit', 'size', 'count', 'first'],
  max_price: ['pricemax', 'pricelte', 'priceto'],
  min_price: ['pricemin', 'pricegte', 'pricefrom'],
  notes: ['comment', 'comments'],
  number: ['sku', 'partnumber', 'mpn', 'oem', 'oemnumber', 'code', 'q', 'query'],
  offset: ['page', 'skip', 'start', 'cursor', 'after', 'pagetoken', 'startingafter'],
  order_uom: ['uom', 'unit', 'units', 'unitofmeasure', 'salesunit'],
  password: ['pass', 'passwd', 'pwd'],
  payment_method: ['payment', 'paymenttype'],
  placed_since: ['from', 'since', 'after', 'startdate', 'datefrom', 'createdafter', 'createdsince'],
  po_number: ['purchaseorder', 'purchaseordernumber'],
  postal_code: ['zip', 'zipcode', 'postcode'],
  q: ['query', 'search', 'text', 'keyword', 'keywords', 'term'],
  quantity: ['qty', 'amount', 'count'],
  region: ['state', 'province', 'parish'],
  shipping_address: ['address', 'deliveryaddress', 'shipto'],
  shipping_address_id: ['addressid', 'deliveryaddressid'],
  sku: ['product', 'productid', 'productsku', 'itemid', 'variantid'],
  since: ['offset', 'page', 'cursor', 'after', 'pagetoken', 'startingafter'],
  skus: ['sku', 'ids', 'items', 'products', 'productids'],
  sort: ['orderby', 'sortby', 'order', 'ordering', 'direction', 'sortorder'],
  updated_since: ['since', 'modifiedsince', 'updatedafter', 'modifiedafter'],
  vehicle_id: ['make', 'model', 'year', 'fitment', 'vehicle'],
}
const KNOWN_BY_OTHER = Map.groupBy(
  Object.entries(OTHER_NAMES).flatMap(([known, others]) => others.map((other) => ({ other, known }))),
  ({ other }) => other,
)
const MAX_CACHED = 1_000
/** Safe in a header, and long enough for a name. Brackets may be escaped. */
const NAME = /^[\w.[\]-]{1,32}$/

const fold = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Creates the search for the known name that an unknown one resembles. It returns `null` if there is none. */
export function createKnownNameSuggestion(known: readonly string[]): (name: string) => string | null {
  // Made for the first unknown name: the arrays of all routes together are megabytes.
  let suggestions: LRUCache<string, { name: string | null }> | undefined
  return (name) => {
    if (!NAME.test(name)) return null
    suggestions ??= new LRUCache({ max: MAX_CACHED })
    const cached = suggestions.get(name)
    if (cached) return cached.name
    const found = findSimilar(name, known)
    suggestions.set(name, { name: found })
    return found
  }
}

function findSimilar(name: string, known: readonly string[]): string | null {
  // Others write filter[brand].
  const folded = fold(name.replace(/^filters?\[/, ''))
  const other = KNOWN_BY_OTHER.get(folded)?.find((one) => known.includes(one.known))
  if (other) return other.known
  const maxDistance = folded.length < 4 ? 0 : folded.length < 8 ? 1 : 2
  const near = known.map((one) => ({ one, distance: leven(folded, fold(one), { maxDistance: maxDistance + 1 }) }))
  near.sort((a, b) => a.distance - b.distance)
  return near[0] && near[0].distance <= maxDistance ? near[0].one : null
}
