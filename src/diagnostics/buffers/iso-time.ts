let latestIso = { ms: 0, text: '' }

/** Formats a time. Many come in one millisecond, and formatting costs more than everything else here. */
export function iso(ms: number): string {
  if (ms !== latestIso.ms || latestIso.text === '') latestIso = { ms, text: new Date(ms).toISOString() }
  return latestIso.text
}
