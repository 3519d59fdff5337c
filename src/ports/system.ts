/** The three systems of a back office. Several of them may be the same program. */
export type System = 'inventory' | 'pricing' | 'accounting'
export const systems: readonly System[] = ['inventory', 'pricing', 'accounting']

/** The ports of a back office: vehicle fitment may come from a separate source. */
export type PortName = System | 'fitment'
export const portNames: readonly PortName[] = [...systems, 'fitment']

/** Where a section comes from: a port, or the references that Forecourt stores itself. */
export type SourceName = PortName | 'references'
export const sourceNames: readonly SourceName[] = [...portNames, 'references']
