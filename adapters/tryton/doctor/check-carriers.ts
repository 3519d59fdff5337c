import { abbreviateList } from '../../../src/doctor/abbreviate-list.ts'
import type { DoctorFinding } from '../../../src/ports/doctor.ts'
import { createFinding } from '../../create-finding.ts'
import { hasAnySystem } from '../../has-any-system.ts'
import { createCapabilities } from '../client/capabilities.ts'
import { findCarrierListPrice } from '../delivery-options/carrier-list-price.ts'
import { type Carrier, createCarrierReader } from '../delivery-options/carrier-reader.ts'
import type { ExaminationContext } from './examination-context.ts'

/** Reports carriers that are never offered to shoppers. */
export async function checkCarriers(context: ExaminationContext): Promise<DoctorFinding[]> {
  const { rpc, facts, call } = context
  if (!hasAnySystem(context, 'accounting')) return []
  const capabilities = createCapabilities(rpc, () => facts.now().getTime())
  const carriers = await createCarrierReader({ rpc, capabilities, facts })(call())
  const hidden = carriers.flatMap((carrier) => {
    const obstacle = findObstacle(carrier)
    return obstacle === null ? [] : [`"${carrier['carrier_product.']['template.'].name}" (${obstacle})`]
  })
  if (hidden.length === 0) return []
  return [
    createFinding(
      'note',
      'carrier_not_offered',
      `carriers are not offered as deliveries: ${abbreviateList(hidden)}`,
      'If this is intended, no action is needed. Else, correct the carrier or its product in Tryton',
    ),
  ]
}

function findObstacle(carrier: Carrier): string | null {
  const { carrier_cost_method: method, percentage, 'carrier_product.': product } = carrier
  if (!product['template.'].salable) return 'its product is not salable'
  if (!product['template.']['account_category.']) return 'its product has no accounting category'
  if (findCarrierListPrice(carrier) === null) return 'its product has no list price'
  if (method === 'percentage') return percentage ? null : 'it has no percentage'
  return method === 'product' ? null : `the cost method "${method}" is not supported`
}
