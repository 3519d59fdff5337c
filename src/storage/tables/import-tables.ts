import type { TenantColumns } from '../tenant-columns.ts'

/** An import of a file. Its rows never change: the next import is written next to it and then replaces it. */
export interface ImportRow extends TenantColumns {
  /** Random, and small because every row of the import has it. */
  import_id: number
  /** LOADING while it is written; CURRENT: active, at most one for a tenant; ENDED: its rows may be deleted. */
  state: 'LOADING' | 'CURRENT' | 'ENDED'
  /** The file's name. */
  source: string
  /** JSON: the figures of the import. */
  counts: string
  created_at: string
  /** When rows were last written, or its state last changed. */
  touched_at: string
}
