import type { SectionError, SectionField } from './generated/types.gen.ts'

interface Sectioned {
  errors: readonly SectionError[]
}

/** The sections of a body: of itself, or of its rows. */
export type SectionOf<Body> = SectionField &
  (keyof Body | (Body extends { data: readonly (infer Row)[] } ? (Row extends unknown ? keyof Row : never) : never))

/** Returns why a section is missing (`null`) or stale, or undefined if it is current. */
export function sectionError<Body extends Sectioned>(body: Body, field: SectionOf<Body>): SectionError | undefined {
  return body.errors.find((error) => error.field === field)
}
