import type { MirrorRow } from '../../src/catalog/mirror/file/mirror-row.ts'
import type { Category } from '../../src/ports/inventory.ts'
import type { Vehicle } from '../../src/ports/vehicle.ts'

export interface SearchCatalogSize {
  products: number
  vehicles: number
  /** Vehicles that a product fits, on average. */
  fitsPerProduct: number
}

const CATEGORIES = 2_000
const BRANDS = 400
const PLACES = ['Front', 'Rear', 'Left', 'Right', 'Upper', 'Lower', 'Inner', 'Outer']
const SYSTEMS = [
  'Brake',
  'Oil',
  'Air',
  'Fuel',
  'Cabin',
  'Spark',
  'Wheel',
  'Clutch',
  'Timing',
  'Water',
  'Shock',
  'Control',
  'Steering',
  'Exhaust',
  'Radiator',
  'Ignition',
  'Transmission',
  'Suspension',
  'Alternator',
  'Starter',
]
const PARTS = [
  'Pad Set',
  'Filter',
  'Disc',
  'Plug',
  'Pump',
  'Bearing',
  'Belt',
  'Kit',
  'Arm',
  'Absorber',
  'Sensor',
  'Hose',
  'Gasket',
  'Valve',
  'Switch',
  'Mount',
  'Bush',
  'Cable',
  'Coil',
  'Relay',
  'Seal',
  'Bolt',
  'Bracket',
  'Cap',
]
const MAKES = 60
const MODELS_PER_MAKE = 30
const PER_BATCH = 2_000

/** A seeded catalog of spare parts, in batches: skewed words, three to five numbers each, categories, brands, vehicles. */
export function createSearchCatalog({ products, vehicles, fitsPerProduct }: SearchCatalogSize) {
  const random = createRandom(16)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  /** The first ones are picked much more often. */
  const pickSkewed = (count: number) => Math.floor(random() ** 3 * count)
  const series = Array.from({ length: 20_000 }, () => toWord(random))

  function toRow(number: number): MirrorRow {
    const sku = `SKU-${number}`
    const name = `${pick(PLACES)} ${SYSTEMS[pickSkewed(SYSTEMS.length)]} ${PARTS[pickSkewed(PARTS.length)]} ${series[pickSkewed(series.length)]} ${10 + Math.floor(random() * 90)} mm`
    const amount = (1 + random() ** 3 * 2_000).toFixed(2)
    const category = pickSkewed(CATEGORIES)
    const words = Array.from({ length: 10 }, () => series[pickSkewed(series.length)])
    return {
      sku,
      sequence: number + 1,
      product: {
        sku,
        name,
        slug: name.toLowerCase().replaceAll(' ', '-'),
        description: words.join(' '),
        brand: `Brand ${pickSkewed(BRANDS)}`,
        mpn: `M${(number * 7_919) % 100_000_007}`,
        barcode: String(4_000_000_000_000 + number),
        media: null,
        categories: [{ category_id: `C${category}`, name: `Category ${category}`, slug: `category-${category}` }],
        tags: [`tag-${pickSkewed(40)}`],
        uom: 'each',
        order_uoms: [],
        active: true,
        updated_at: '2026-01-01T00:00:00.000Z',
      },
      price: {
        sku,
        amount,
        price_type: 'LIST',
        list_amount: amount,
        tax_included: false,
        uom: 'each',
        breaks: [],
        as_of: '2026-01-01T00:00:00.000Z',
      },
      price_as_of: null,
      stock_as_of: null,
      tax: null,
      availability: { band: pick(['IN_STOCK', 'IN_STOCK', 'IN_STOCK', 'LOW', 'OUT'] as const), eta: null },
      references: Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
        kind: 'OEM' as const,
        brand: `Brand ${pickSkewed(BRANDS)}`,
        number: `X${Math.floor(random() * products * 2)}`,
        customer_id: null,
      })),
      vehicles: Array.from(
        { length: Math.round(random() * 2 * fitsPerProduct) },
        () => 1 + Math.floor(random() * vehicles),
      ),
      universal: random() < 0.02,
      popularity: pickSkewed(20),
    }
  }

  return {
    categories: Array.from(
      { length: CATEGORIES },
      (_, number): Category => ({
        category_id: `C${number}`,
        name: `Category ${number}`,
        slug: `category-${number}`,
        parent_id: number < 20 ? null : `C${number % 20}`,
        position: number,
        product_count: null,
      }),
    ),
    vehicles: Array.from(
      { length: vehicles },
      (_, number): Vehicle => ({
        vehicle_id: number + 1,
        year: 1990 + (number % 36),
        make: `Make${Math.floor(number / 36) % MAKES}`,
        model: `Model${Math.floor(number / 36) % (MAKES * MODELS_PER_MAKE)}`,
        submodel: `S${number}`,
        engine: null,
        market: 'US',
      }),
    ),
    *batches(): Generator<MirrorRow[]> {
      for (let first = 0; first < products; first += PER_BATCH)
        yield Array.from({ length: Math.min(PER_BATCH, products - first) }, (_, index) => toRow(first + index))
    },
  }
}

/** mulberry32: the same catalog in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const toWord = (random: () => number): string =>
  Array.from(
    { length: 2 + Math.floor(random() * 2) },
    () => 'bcdfghklmnprstv'[Math.floor(random() * 15)]! + 'aeiou'[Math.floor(random() * 5)]!,
  ).join('')
