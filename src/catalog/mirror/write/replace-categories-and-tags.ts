import type { Category, Tag } from '../../../ports/inventory.ts'
import type { MirrorStatements } from './mirror-statements.ts'

export function replaceCategories(statements: MirrorStatements, categories: readonly Category[]): void {
  statements.clearCategories.run()
  for (const { category_id, name, slug, parent_id, position, product_count } of categories)
    statements.putCategory.run(category_id, name, slug, parent_id, position, product_count)
}

export function replaceTags(statements: MirrorStatements, tags: readonly Tag[]): void {
  statements.clearTags.run()
  for (const { tag, name, count } of tags) statements.putTag.run(tag, name, count)
}
