import { createNotFound, UpstreamError } from '../../errors.ts'
import { SectionFailed } from '../../sections/section-errors.ts'

/** Returns 404 only where the accounting system supports the section. */
export function createSectionNotFoundError(section: string, isUnsupported: boolean): Error {
  if (!isUnsupported) return createNotFound('customer')
  return new SectionFailed(
    section,
    new UpstreamError('not_configured', `the accounting system does not support ${section}`, { system: 'accounting' }),
  )
}
