import { type Mistake, mistake } from './mistake.ts'

/** Ids and query parameters of other APIs, and values that nothing has. */
export const otherApiParameterMistakes: readonly Mistake[] = [
  mistake(
    'a space after a SKU',
    'pub',
    'GET /v1/products/BP-1001%20',
    {},
    [404, 'not_found'],
    [
      'There is no such product. Send a sku (not a slug or a name) as GET /v1/products lists it, in the same letter case. To search: GET /v1/products?q={text}.',
      'Forecourt-Hint: The sku in the path begins or ends with a space. Trim it.',
    ],
  ),
  mistake(
    'a SKU that is encoded twice',
    'pub',
    'GET /v1/products/BP%252D1001',
    {},
    [404, 'not_found'],
    [
      'There is no such product. Send a sku (not a slug or a name) as GET /v1/products lists it, in the same letter case. To search: GET /v1/products?q={text}.',
      'Forecourt-Hint: The sku in the path has %2D: is it encoded twice? Call encodeURIComponent only once.',
    ],
  ),
  mistake(
    'makes without a year',
    'pub',
    'GET /v1/vehicles/makes',
    {},
    [422, 'missing'],
    ['query.year: Field required', 'Forecourt-Hint: GET /v1/vehicles/years lists the years.'],
  ),
  mistake(
    'an unknown make',
    'pub',
    'GET /v1/vehicles/models?year=2015&make=Hunday',
    {},
    [200],
    [
      'Forecourt-Hint: No vehicle has this year, make and market. GET /v1/vehicles/makes?year={year} lists the makes of a year.',
    ],
  ),
  mistake(
    'a year without vehicles',
    'pub',
    'GET /v1/vehicles/makes?year=1901',
    {},
    [200],
    ['Forecourt-Hint: No vehicle has this year and market. GET /v1/vehicles/years lists the years.'],
  ),
  mistake(
    'a word as vehicle_id',
    'pub',
    'GET /v1/products?vehicle_id=civic',
    {},
    [422, 'int_parsing'],
    [
      'query.vehicle_id: Input should be a valid integer, unable to parse string as an integer',
      'Forecourt-Hint: Send a vehicle_id from GET /v1/vehicles/models.',
    ],
  ),
  mistake(
    'an unknown vehicle_id in a list',
    'pub',
    'GET /v1/products?vehicle_id=99999999',
    {},
    [200],
    [
      'Forecourt-Hint: No vehicle has the value of vehicle_id, so the list is empty. Send a vehicle_id from GET /v1/vehicles/models.',
    ],
  ),
  mistake(
    'the year as a filter',
    'pub',
    'GET /v1/products?year=2015&limit=1',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "year" is unknown and was ignored. Did you mean "vehicle_id"? GET /v1/vehicles/models lists the values.',
    ],
  ),
  mistake(
    'the page of a list',
    'pub',
    'GET /v1/products?page=2&limit=1',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "page" is unknown and was ignored. Did you mean "offset"? It counts rows, not pages. The pagination of each response has the next one as next_offset.',
    ],
  ),
  mistake(
    'a limit in words',
    'pub',
    'GET /v1/products?limit=all',
    {},
    [422, 'int_parsing'],
    [
      'query.limit: Input should be a valid integer, unable to parse string as an integer',
      'Forecourt-Hint: Write a whole number in digits.',
    ],
  ),
  mistake(
    'a cursor',
    'pub',
    'GET /v1/products?cursor=abc&limit=1',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "cursor" is unknown and was ignored. Did you mean "offset"? It counts rows, not pages. The pagination of each response has the next one as next_offset.',
    ],
  ),
  mistake(
    'the direction of an order',
    'pub',
    'GET /v1/products?order=desc&limit=1',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "order" is unknown and was ignored. Did you mean "sort"? With a minus sign, it sorts downwards: sort=-price.',
    ],
  ),
  mistake(
    'two categories with a comma',
    'pub',
    'GET /v1/products?category=brake-pads,engine-oils',
    {},
    [200],
    [
      'Forecourt-Hint: The value of category is not the category_id or slug of any product, so the list is empty. Did you mean category=brake-pads&category=engine-oil? GET /v1/categories lists the categories.',
    ],
  ),
  mistake(
    'a filter in brackets',
    'pub',
    'GET /v1/products?filter[brand]=Tamaro&limit=1',
    {},
    [200],
    ['Forecourt-Hint: The query parameter "filter[brand]" is unknown and was ignored. Did you mean "brand"?'],
  ),
  mistake(
    'a filter of products in stock',
    'pub',
    'GET /v1/products?in_stock=true&limit=1',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "in_stock" is unknown and was ignored. Did you mean "availability"? Its values are IN_STOCK, LOW, OUT and LEAD_TIME.',
    ],
  ),
  mistake(
    'a choice of members',
    'pub',
    'GET /v1/products?fields=sku&limit=1',
    {},
    [200],
    ['Forecourt-Hint: The query parameter "fields" is unknown and was ignored. A response always has all its members.'],
  ),
  mistake(
    'another currency',
    'pub',
    'GET /v1/products?currency=USD&limit=1',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "currency" is unknown and was ignored. Prices are in the currency of the merchant.',
    ],
  ),
  mistake(
    'a lookup by sku',
    'pub',
    'GET /v1/lookup?sku=BP-1001',
    {},
    [422, 'missing'],
    [
      'query.number: Field required',
      'Forecourt-Hint: The query parameter "sku" is unknown and was ignored. Did you mean "number"?',
    ],
  ),
  mistake(
    'orders from a date',
    'shop',
    'GET /v1/orders?from=2026-01-01&limit=1',
    {},
    [200],
    ['Forecourt-Hint: The query parameter "from" is unknown and was ignored. Did you mean "placed_since"?'],
  ),
  mistake(
    'an order of orders',
    'shop',
    'GET /v1/orders?sort=-placed_at&limit=1',
    {},
    [200],
    ['Forecourt-Hint: The query parameter "sort" is unknown and was ignored. The order of this list is fixed.'],
  ),
  mistake(
    'an offset in the list of events',
    'sec',
    'GET /v1/events?offset=100&limit=1',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "offset" is unknown and was ignored. Did you mean "since"? Send the next_since of the last response.',
    ],
  ),
]
