import type { CustomerPlace } from '../commands/command-context.ts'
import { UpstreamError } from '../errors.ts'
import { SectionFailed } from '../sections/section.ts'
import type { Question } from '../http/route.ts'

/** Where a signed-in shopper's write happens; for routes that need a shopper. */
export function placeOf(
  question: Pick<Question, 'commerce' | 'principal' | 'merchant' | 'office' | 'asking' | 'customerId'>,
): CustomerPlace {
  const { commerce, principal, merchant, office, asking, customerId } = question
  if (customerId === null) throw new Error('this route needs a shopper, and does not say so')
  return { commerce, tenantId: principal.tenant_id, mode: principal.mode, merchant, office, asking, customerId }
}

/** A live call without which there is no answer: its failure is that of the section that it was for. */
export async function calling<T>(section: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw error instanceof UpstreamError ? new SectionFailed(section, error) : error
  }
}
