import type { CustomerCommandContext } from '../commands/command-context.ts'
import { UpstreamError } from '../errors.ts'
import type { ApiRequest } from '../http/route.ts'
import { SectionFailed } from '../sections/section.ts'

/** Where a signed-in shopper's write happens; for routes that need a shopper. */
export function toCustomerCommandContext(
  question: Pick<ApiRequest, 'commerce' | 'principal' | 'merchant' | 'backOffice' | 'requestScope' | 'customerId'>,
): CustomerCommandContext {
  const { commerce, principal, merchant, backOffice, requestScope, customerId } = question
  if (customerId === null) throw new Error('this route needs a shopper, and does not say so')
  return {
    commerce,
    tenantId: principal.tenant_id,
    mode: principal.mode,
    merchant,
    backOffice,
    requestScope,
    customerId,
  }
}

/** A live call without which there is no answer: its failure is that of the section that it was for. */
export async function failAsSection<T>(section: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof UpstreamError ? new SectionFailed(section, error) : error
  }
}
