/** The route of requests to the server of the demo shop. For some of them, that server calls the API under the same request id. */
export const DEMO_SHOP_ROUTE = 'shop'

export const isOfDemoShop = ({ route }: { route: string }): boolean => route === DEMO_SHOP_ROUTE
