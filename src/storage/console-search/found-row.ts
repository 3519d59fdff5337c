import type { Mode } from '../../tenant.ts'

/** Something that was found by an id. The tenant is `null` for a request without a valid key. */
export interface FoundRow {
  tenant_id: string | null
  mode: Mode
  id: string
}
