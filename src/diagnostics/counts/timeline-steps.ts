/** The spans of time that a row of the timeline counts. */
export type TimelineStep = 'minute' | 'hour'
export const timelineStepMs: Record<TimelineStep, number> = { minute: 60_000, hour: 3_600_000 }
