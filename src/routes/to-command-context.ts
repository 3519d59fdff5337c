import type { CommandContext, CustomerCommandContext } from '../commands/command-context.ts'
import type { ApiRequest } from '../http/route.ts'

type ContextMembers = Pick<ApiRequest, 'commerce' | 'tenant' | 'merchant' | 'backOffice' | 'requestScope'>

/** Returns what a command needs of a request. */
export function toCommandContext(request: ContextMembers): CommandContext {
  const { commerce, tenant, merchant, backOffice, requestScope } = request
  return { commerce, tenant, merchant, backOffice, requestScope }
}

/** Returns what a command for a shopper's customer needs. For routes with `needsShopper`. */
export function toCustomerCommandContext(
  request: ContextMembers & Pick<ApiRequest, 'customerId'>,
): CustomerCommandContext {
  const { customerId } = request
  if (customerId === null) throw new Error('this route needs a shopper, but does not declare needsShopper')
  return { ...toCommandContext(request), customerId }
}
