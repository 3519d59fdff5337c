/** A parsed date-time: seconds since 1970 in its own zone, before the zone's offset is subtracted. */
export interface ParsedInstant {
  seconds: number
  micros: number
  offset: number
}
