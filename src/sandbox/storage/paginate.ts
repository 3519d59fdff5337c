/** One page of the rows. */
export function paginate<T>(rows: readonly T[], limit = 50, offset = 0) {
  return { rows: rows.slice(offset, offset + limit), total: rows.length, has_more: offset + limit < rows.length }
}
