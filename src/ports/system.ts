/** The three systems of a back office. Several of them may be one program. */
export type System = 'inventory' | 'pricing' | 'accounting'
export const systems: readonly System[] = ['inventory', 'pricing', 'accounting']

/** All that may be asked: vehicle fitment may come from a source of its own. */
export type PortName = System | 'fitment'
export const portNames: readonly PortName[] = [...systems, 'fitment']
