export interface ShopSettings {
  name: string
  currency: string
  /** The address of the API. */
  address: string
  publishableKey: string
  secretKey: string
  /** Pictures come from here. */
  pictureOrigin: string
  operationsAddress: string | null
}
