import type { FoundRow } from '../../storage/console-search/found-row.ts'

/** One thing that a search found. */
export interface SearchMatch {
  kind: string
  name: string
  href: string
  /** Further words about it: its label, its status. */
  note?: string | null
  row: FoundRow | null
}

export const toMatches = <R extends FoundRow>(
  kind: string,
  rows: readonly R[],
  toPath: (row: R) => string,
  toNote: (row: R) => string | null = () => null,
): SearchMatch[] => rows.map((row) => ({ kind, name: row.id, href: toPath(row), note: toNote(row), row }))
