import type { UpstreamError } from '../errors.ts'
import type { SourceName } from '../ports/system.ts'
import type { LoadResult } from '../upstream/read-stack/cached-loader.ts'

/** One named part of a response, filled by one source. */
export interface Section<T> {
  value: T
  /** Why the value is missing or old. */
  error: UpstreamError | null
  /** The part that failed is filled with its last-good value. */
  stale: boolean
  /** Some rows have values; the others have neither a value nor a last-good one. */
  partial: boolean
  /** Milliseconds since the epoch: when the value was true. */
  asOf: number
  /** The system that the value comes from. */
  system?: SourceName | undefined
  /** The catalog mirror has filled it, at least in part. */
  mirrored?: true
}

/** A section of one value. */
export function valueSection<V>({ value, error, asOf, system, mirrored }: LoadResult<V>): Section<V | null> {
  const stale = error !== null && value !== null
  return { value, error, stale, partial: false, asOf, system, ...(mirrored && { mirrored }) }
}

/** A section with one value per row. One failure speaks for the column: `errors[]` never grows with the rows. */
export function columnSection<V>(rows: readonly LoadResult<V>[]): Section<(V | null)[]> {
  let error: UpstreamError | null = null
  let missing = 0
  let asOf = Number.POSITIVE_INFINITY
  let isMirrored = false
  for (const row of rows) {
    if (row.mirrored) isMirrored = true
    if (row.error === null) continue
    error ??= row.error
    if (row.value === null) missing += 1
    else asOf = Math.min(asOf, row.asOf)
  }
  const section: Section<(V | null)[]> = {
    value: rows.map((row) => row.value),
    error,
    stale: error !== null && missing === 0,
    partial: missing > 0 && missing < rows.length,
    asOf,
    system: rows[0]?.system,
  }
  if (isMirrored) section.mirrored = true
  return section
}

export interface SectionSource<T> {
  required: boolean
  section: Promise<Section<T>>
}

/** Declares a section without which there is no response. Its failure fails the request and abandons the other sections. */
export const required = <T>(section: Promise<Section<T>>): SectionSource<T> => ({ required: true, section })
/** The section may be missing; `errors[]` then says why. */
export const optional = <T>(section: Promise<Section<T>>): SectionSource<T> => ({ required: false, section })
