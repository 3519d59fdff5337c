import type { Order } from '../../../ports/order.ts'
import type { OrderRecord } from '../../../storage/commerce/orders.ts'
import { failureKind } from '../../../upstream/request/failure-kind.ts'
import type { MerchantDirectory } from '../../merchant-directory.ts'
import { toOrderPath } from '../../page-paths.ts'
import { capitalize } from '../../text/capitalize.ts'
import { adviceForFailure } from '../../text/failure-advice-text.ts'
import { capitalizeFailure } from '../../text/failure-kind-text.ts'
import { formatCount } from '../../text/format-numbers.ts'
import { callAboutSystem } from '../../whom-to-call.ts'
import { describeLiveError, type LiveFinding } from './live-finding.ts'

export function toOrderInAccountingView(
  order: OrderRecord,
  { value, error }: LiveFinding<Order>,
  merchants: MerchantDirectory,
  now: number,
) {
  const { order_id, tenant_id: merchant, mode, placed } = order
  const toTime = (at: string | number) => merchants.time(at, merchant)
  return {
    number: value?.order_number ?? placed?.order_number ?? order_id,
    merchantName: merchants.name(merchant),
    mode,
    path: toOrderPath(order_id),
    at: toTime(now),
    found: value && {
      status: nameStatus(value.status),
      payment: nameStatus(value.payment_status),
      shipments: value.shipments.length > 0 ? formatCount(value.shipments.length, 'shipment') : 'none',
      invoiced: value.invoiced ? 'all of it, or a part' : 'no',
      updated: toTime(value.updated_at),
    },
    failure: error && {
      text: capitalizeFailure(describeLiveError(error)),
      advice: adviceForFailure(failureKind(error)),
      whom: callAboutSystem(merchants, { merchant, mode }, 'accounting'),
    },
  }
}

/** `PARTIALLY_SHIPPED` becomes `Partially shipped`. */
const nameStatus = (status: string) => capitalize(status.toLowerCase().replaceAll('_', ' '))
