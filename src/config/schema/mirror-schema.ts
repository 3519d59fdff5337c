import Type, { type Static } from 'typebox'

const BoostedValue = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))

/** Boosts the products of one brand, category or tag; find-mirror-mistakes.ts checks that there is one. */
const BoostBlock = Type.Object(
  {
    brand: BoostedValue,
    category: BoostedValue,
    tag: BoostedValue,
    boost: Type.Integer({ minimum: -10, maximum: 10 }),
  },
  { additionalProperties: false },
)

/** Words and phrases that mean the same. */
const SynonymGroup = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 2, maxItems: 8 })

/** The block of a merchant whose mirror is on. */
export const MirrorBlock = Type.Object(
  {
    max_age_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
    boosts: Type.Optional(Type.Array(BoostBlock, { maxItems: 50 })),
    synonyms: Type.Optional(Type.Array(SynonymGroup, { maxItems: 200 })),
  },
  { additionalProperties: false },
)

export type BoostBlock = Static<typeof BoostBlock>
export type MirrorBlock = Static<typeof MirrorBlock>
