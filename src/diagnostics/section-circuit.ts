import type { Incident } from './reports/incidents.ts'

/** Returns the circuit of a section: the searches of the inventory have one of their own. */
export const toSectionCircuit = ({ system, section }: Pick<Incident, 'system' | 'section'>): string =>
  system === 'inventory' && section === 'data' ? 'inventory-search' : system
