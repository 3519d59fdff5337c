import type { ProbeInputs } from './operation-probe.ts'

const DAY_MS = 86_400_000

/** The query that reads the changes of the last days from a feed. */
export const recentChangesQuery = ({ now }: ProbeInputs, days = 1) => ({
  since: new Date(now.getTime() - days * DAY_MS).toISOString(),
  limit: 50,
  offset: 0,
})
