import { type Mistake, mistake } from './mistake.ts'

/** Query parameters, ids in numbers, and the header of simulated faults. */
export const parameterMistakes: readonly Mistake[] = [
  mistake(
    'faults in a header of another name',
    'pub',
    'GET /v1/products/BP-1001',
    { headers: { 'x-sandbox-faults': 'pricing=timeout' } },
    [200],
    [
      'Forecourt-Hint: The header X-Sandbox-Faults is ignored, so no system fails. Send X-Sandbox-Fault, such as X-Sandbox-Fault: pricing=timeout.',
    ],
  ),
  mistake(
    'the same with a live key',
    'live',
    'GET /v1/products/BP-1001',
    { headers: { 'x-sandbox-faults': 'pricing=timeout' } },
    [200],
    [],
  ),
  mistake(
    'a name as the vehicle',
    'pub',
    'GET /v1/vehicles/corolla/products',
    {},
    [422, 'int_parsing'],
    [
      'path.vehicle_id: Input should be a valid integer, unable to parse string as an integer',
      'Forecourt-Hint: Send a vehicle_id from GET /v1/vehicles/models.',
    ],
  ),
  mistake(
    'a limit above the maximum',
    'pub',
    'GET /v1/products?limit=1000',
    {},
    [422, 'less_than_equal'],
    ['query.limit: Input should be less than or equal to 200'],
  ),
  mistake(
    'a negative offset',
    'pub',
    'GET /v1/products?offset=-1',
    {},
    [422, 'greater_than_equal'],
    ['query.offset: Input should be greater than or equal to 0'],
  ),
  mistake(
    'an offset that no number type holds',
    'pub',
    'GET /v1/products?offset=99999999999999999999',
    {},
    [422, 'int_parsing_size'],
    [
      'query.offset: Unable to parse input string as an integer, exceeded maximum size',
      'Forecourt-Hint: Send a smaller number.',
    ],
  ),
  mistake(
    'a price with a currency',
    'pub',
    'GET /v1/products?min_price=JMD100',
    {},
    [422, 'string_pattern_mismatch'],
    ['query.min_price: Input should be an amount without a currency, such as 1234.50'],
  ),
  mistake(
    'a date in words',
    'pub',
    'GET /v1/products?updated_since=yesterday',
    {},
    [422, 'datetime_from_date_parsing'],
    [
      'query.updated_since: Input should be a valid datetime or date, input is too short',
      'Forecourt-Hint: Write a time as 2026-01-31T13:45:00Z, or a date as 2026-01-31.',
    ],
  ),
  mistake(
    'a date in another order',
    'pub',
    'GET /v1/products?updated_since=25.11.2026',
    {},
    [422, 'datetime_from_date_parsing'],
    [
      'query.updated_since: Input should be a valid datetime or date, invalid character in year',
      'Forecourt-Hint: Write a time as 2026-01-31T13:45:00Z, or a date as 2026-01-31.',
    ],
  ),
  mistake(
    'an unknown order of a list',
    'pub',
    'GET /v1/products?sort=cheapest',
    {},
    [422, 'literal_error'],
    ["query.sort: Input should be 'relevance', 'name', 'price', '-price' or 'newest'"],
  ),
  mistake(
    'models without a make',
    'pub',
    'GET /v1/vehicles/models?year=2015',
    {},
    [422, 'missing'],
    ['query.make: Field required', 'Forecourt-Hint: GET /v1/vehicles/makes?year={year} lists the makes of a year.'],
  ),
  mistake(
    'an unknown fault',
    'pub',
    'GET /v1/products',
    { headers: { 'x-sandbox-fault': 'prices=slow' } },
    [422, 'sandbox_fault_invalid'],
    [
      'header.X-Sandbox-Fault: X-Sandbox-Fault should list faults as <system>=<failure>, such as pricing=timeout. Systems: inventory, pricing, accounting, fitment, references. Failures: timeout, error, unavailable, invalid',
    ],
  ),
  mistake(
    'a filter that is not set',
    'pub',
    'GET /v1/products?limit=1&tag=undefined',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "tag" is undefined: is the variable with its value set? Omit a parameter without a value.',
    ],
  ),
  mistake(
    'a filter that is not set, beside a search for null',
    'pub',
    'GET /v1/products?limit=1&q=null&brand=%5Bobject+Object%5D',
    {},
    [200],
    [
      'Forecourt-Hint: The query parameter "brand" is [object Object]: is the variable with its value set? Omit a parameter without a value.',
    ],
  ),
  mistake(
    'the name of a category',
    'pub',
    'GET /v1/products?category=Brake%20Pads',
    {},
    [200],
    [
      'Forecourt-Hint: The value of category is not the category_id or slug of any product, so the list is empty. Did you mean category=brake-pads? GET /v1/categories lists the categories.',
    ],
  ),
  mistake(
    'an unknown category',
    'pub',
    'GET /v1/products?category=furniture',
    {},
    [200],
    [
      'Forecourt-Hint: The value of category is not the category_id or slug of any product, so the list is empty. GET /v1/categories lists the categories.',
    ],
  ),
  mistake(
    'an ETag without quotation marks',
    'pub',
    'GET /v1/products/BP-1001',
    { headers: { 'if-none-match': 'abc' } },
    [200],
    [
      'Forecourt-Hint: If-None-Match has no quotation marks, so it matches no ETag. Send the ETag as it arrived, with its quotation marks: If-None-Match: "...".',
    ],
  ),
  mistake(
    'a misspelled brand',
    'pub',
    'GET /v1/products?brand=Tamarro',
    {},
    [200],
    [
      'Forecourt-Hint: The value of brand is not the brand of any product, so the list is empty. Did you mean brand=Tamaro? GET /v1/products?facets=brand&limit=1 lists brands.',
    ],
  ),
  mistake(
    'a tag in capital letters',
    'pub',
    'GET /v1/products?tag=Safety',
    {},
    [200],
    [
      'Forecourt-Hint: The value of tag is not the tag of any product, so the list is empty. Did you mean tag=safety? GET /v1/tags lists the tags.',
    ],
  ),
  mistake(
    'a SKU in small letters in a filter',
    'pub',
    'GET /v1/products?skus=bp-1001',
    {},
    [200],
    [
      'Forecourt-Hint: The value of skus is not the SKU of any product, so the list is empty. Did you mean skus=BP-1001? The letter case of a SKU matters. GET /v1/products lists SKUs.',
    ],
  ),
]
