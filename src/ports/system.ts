/** The three systems of a back office. Several of them may be one program. */
export type System = 'inventory' | 'pricing' | 'accounting'
export const systems: readonly System[] = ['inventory', 'pricing', 'accounting']
