import Type from 'typebox'

export const PageQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
})

/** Some systems reject an offset that does not fit their integers. */
const MAX_OFFSET = 1_000_000_000

/** Limits the offset that is sent upstream; a page past the end is empty, however far past it is. */
export const clampOffset = <P extends { offset: number }>(page: P): P => ({
  ...page,
  offset: Math.min(page.offset, MAX_OFFSET),
})
