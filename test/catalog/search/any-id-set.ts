import fc from 'fast-check'

/** Ids near each other and far apart, few and many. */
export const anyIdSet = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat({ max: 5_000 }), { maxLength: 300 }), fc.nat({ max: 6_000 }))
  .map(([step, single, run]) => {
    const ids = [...single.map((id) => 1 + id * step), ...Array.from({ length: run }, (_, at) => 1_000 + at)]
    return Uint32Array.from(new Set(ids)).sort()
  })

export const sortIds = (ids: Iterable<number>) => [...new Set(ids)].sort((one, other) => one - other)
