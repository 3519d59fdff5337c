/** The three systems of a back office. Several of them may be one program. */
export type System = 'inventory' | 'pricing' | 'accounting'
export const systems: readonly System[] = ['inventory', 'pricing', 'accounting']

/** All that may be asked: vehicle fitment may come from a source of its own. */
export type Source = System | 'fitment'
export const sources: readonly Source[] = [...systems, 'fitment']
