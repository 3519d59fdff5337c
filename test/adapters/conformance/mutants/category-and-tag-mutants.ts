import { changeResult } from './change-port.ts'
import { mutantsOf } from './mutant.ts'

export const categoryAndTagMutants = mutantsOf(
  'inventory.categories and tags',
  [
    'leaves out the roots of the categories',
    'every parent exists',
    changeResult('inventory.categories', (categories) => categories.filter(({ parent_id }) => parent_id !== null)),
  ],
  [
    'counts a product too many for each tag',
    'count the products',
    changeResult('inventory.tags', (tags) => tags.map((tag) => ({ ...tag, count: (tag.count ?? 0) + 1 }))),
  ],
)
