/** Returns a decimal string as a binary number, which the port does not allow. */
export const toNumber = (decimal: string) => Number(decimal) as unknown as string
