import type { Fitment } from '../../../../src/ports/sku-fitments.ts'
import type { Vehicle } from '../../../../src/ports/vehicle.ts'
import { changeMethod, changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

const vehicleOf = (vehicle_id: number): Vehicle => ({
  vehicle_id,
  year: 2020,
  make: 'Toyota',
  model: 'Axio',
  submodel: null,
  engine: null,
  market: 'JM',
})
const withoutUniversal = ({ universal: _, ...fitment }: Fitment & { universal: boolean }) =>
  fitment as Fitment & { universal: boolean }

/** An adapter that knows a make only in the spelling of its system. */
const compareMakesExactly = (operation: 'inventory.vehicleFacet' | 'fitment.vehicleFacet') =>
  changeMethod(operation, (vehicleFacet) => async (query, call) => {
    if (query.facet !== 'model') return vehicleFacet(query, call)
    const makes = await vehicleFacet({ facet: 'make', year: query.year }, call)
    return makes.some(({ value }) => value === query.make) ? vehicleFacet(query, call) : []
  })

export const vehicleMutants = [
  ...(['inventory.vehicleFacet', 'fitment.vehicleFacet'] as const).flatMap((operation) =>
    mutantsOf(operation, [
      `compares makes case-sensitively in ${operation}`,
      'narrows down',
      compareMakesExactly(operation),
    ]),
  ),
  ...mutantsOf(
    'inventory, vehicles',
    [
      'does not say which items fit all vehicles',
      'the vehicles of an item',
      changeResult('inventory.vehicleItems', (page) => ({
        ...page,
        items: page.items.map((item) => ({ ...item, fitment: withoutUniversal(item.fitment) })),
      })),
    ],
    [
      'invents a vehicle that does not exist',
      'an unknown vehicle',
      changeResult('inventory.vehicleItems', (page, id) => ({ ...page, vehicle: page.vehicle ?? vehicleOf(id) })),
    ],
    [
      'encodes the SKU of fitments twice',
      'an unknown SKU',
      changeMethod(
        'inventory.fitments',
        (fitments) =>
          (sku, ...more) =>
            fitments(encodeURIComponent(sku), ...more),
      ),
    ],
  ),
  ...mutantsOf(
    'fitment',
    [
      'returns a part of a vehicle twice',
      'each SKU of a vehicle once',
      changeResult('fitment.vehicle', (fitted) => fitted && { ...fitted, parts: [...fitted.parts, fitted.parts[0]!] }),
    ],
    [
      'returns no vehicles for an unknown SKU, instead of null',
      'unknown ids',
      changeResult(
        'fitment.fitments',
        (fitments) => fitments ?? { universal: false, fitments: [], total: 0, has_more: false },
      ),
    ],
  ),
]
