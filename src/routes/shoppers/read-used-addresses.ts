import { listUsedAddresses } from '../../commands/addresses/used-addresses.ts'
import type { ApiRequest } from '../../http/route.ts'
import type { Customer, CustomerAddress } from '../../ports/customer.ts'

/** Returns the addresses of a customer's orders that may be chosen again. */
export async function readUsedAddresses(
  { commerce, tenant }: Pick<ApiRequest, 'commerce' | 'tenant'>,
  customer_id: string,
  customer: Customer | null,
): Promise<CustomerAddress[]> {
  return customer ? listUsedAddresses(commerce.db, { ...tenant, customer_id }, customer.addresses) : []
}
