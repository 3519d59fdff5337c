/** Where a server listens. */
export interface ServerAddresses {
  address: string
  metricsAddress: string | null
  /** The address of the console. */
  operationsAddress: string | null
}
