/** Returns whether a checkout of this service made the reference. Other programs give orders references too. */
export const isForecourtOrderReference = (reference: string | null): reference is string =>
  reference?.startsWith('ord_') ?? false
