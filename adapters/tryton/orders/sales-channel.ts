/**
 * The start of the description of a sale: the channel, followed by an outcome for which Tryton has no state. People may
 * read it, and the adapter parses it.
 */
export const SALES_CHANNEL = 'ECOMMERCE'
