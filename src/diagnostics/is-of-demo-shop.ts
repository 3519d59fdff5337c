/** The route of what the server of the demo shop serves: its pages, and the calls of the API that it makes for them under the same request id. */
export const DEMO_SHOP_ROUTE = 'shop'

export const isOfDemoShop = ({ route }: { route: string }): boolean => route === DEMO_SHOP_ROUTE
