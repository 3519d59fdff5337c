import type { Incident } from '../reports/incidents.ts'

/** Returns whether an incident is one of Forecourt's own database. */
export const isStoreIncident = ({ system, section }: Pick<Incident, 'system' | 'section'>): boolean =>
  system === '' && section === 'store'
