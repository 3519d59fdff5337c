import type { Database } from '../../src/storage/database.ts'

/** Returns a database that counts the statements which are run through it. */
export function countStatements(db: Database): { db: Database; count(): number } {
  let count = 0
  const counted = db.withPlugin({
    transformQuery({ node }) {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { db: counted, count: () => count }
}
