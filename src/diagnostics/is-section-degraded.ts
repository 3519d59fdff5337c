import type { SectionTrace } from '../sections/section-trace.ts'

/** Returns whether a response with this status gave shoppers less than they requested of a section. */
export function isSectionDegraded(status: number, { outcome, code }: SectionTrace): boolean {
  // Nobody received the response to a disconnected client; a section that was aborted because another one failed says nothing about its own system.
  if (status === 499 || outcome === 'aborted') return false
  // A section that the back office does not offer is always missing, and needs no attention.
  if (outcome === 'not_configured') return false
  return status >= 500 ? outcome !== 'ok' : code !== null
}
