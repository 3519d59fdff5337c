import Type from 'typebox'

/** No login, because the address is shown to people; no query, because adapters append paths. */
export const BASE_ADDRESS_PATTERN = '^https?://[^\\s/?#@]+(/[^\\s?#@]*)?$'

/** The value of a mail header: one line with one address. */
export const Mailbox = Type.String({ pattern: '^[^\\r\\n@]+@[^\\r\\n@]+$', maxLength: 320 })
