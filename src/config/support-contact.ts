/** Whom support staff call. */
export interface SupportContact {
  name?: string
  phone?: string
  url?: string
}
