/** The share of the queue that each kind of call may fill: when a system cannot keep up, search is shed first and checkout last. */
export const priorityQueueShares = { checkout: 1, cart: 0.9, catalog: 0.75, search: 0.5 } as const
export type CallPriority = keyof typeof priorityQueueShares
