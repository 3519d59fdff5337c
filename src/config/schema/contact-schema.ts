import Type, { type Static } from 'typebox'

/** Whom support staff call. */
export const ContactBlock = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    phone: Type.Optional(Type.String({ pattern: '^[+0-9][0-9 ()./-]{2,39}$' })),
    url: Type.Optional(Type.String({ pattern: '^https?://[^\\s@]+$', maxLength: 300 })),
  },
  { additionalProperties: false },
)

export type ContactBlock = Static<typeof ContactBlock>
