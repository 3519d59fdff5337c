/** A time in March 2026, as Tryton sends it. */
export const on = (day: number) => ({ year: 2026, month: 3, day, hour: 10, minute: 0, second: 0, microsecond: 0 })

/** An attachment with a file. */
export const row = (id: number, more: object = {}) => ({
  id,
  name: `${id}.jpg`,
  type: 'data',
  link: null,
  file_id: `digest${id}`,
  description: null,
  create_date: on(1),
  write_date: null,
  resource: 'product.product,7',
  ...more,
})
