type Leaf = [path: string, operator: string, value: unknown]

const isLeaf = (token: unknown): token is Leaf => Array.isArray(token)

/** Returns a domain of Odoo 17 as Odoo 16 understands it. `search` finds records of the same model. */
export async function toOlderDomain(
  model: string,
  domain: readonly unknown[],
  search: (domain: unknown[]) => Promise<number[]>,
): Promise<unknown[]> {
  return Promise.all(
    domain.map((token, i) => {
      if (!isLeaf(token)) return token
      if (token[1] !== 'not any') return model === 'sale.order' ? withLocked(token) : token
      // Only records that its other condition allows can matter.
      const bound = domain[i - 2] === '&' ? [domain[i - 1]] : []
      return toIdCondition(token, bound, search)
    }),
  )
}

/** A locked order is in the state `done`. */
function withLocked(leaf: Leaf): Leaf {
  const [path, operator, value] = leaf
  if (path !== 'state') return leaf
  if (operator === '=' && value === 'sale') return ['state', 'in', ['sale', 'done']]
  return operator === 'in' && Array.isArray(value) && value.includes('sale')
    ? ['state', 'in', [...value, 'done']]
    : leaf
}

/** Odoo 16 cannot ask whether no linked record meets a condition: leaves out those records that have one that does. */
async function toIdCondition(
  [path, , condition]: Leaf,
  bound: unknown[],
  search: (domain: unknown[]) => Promise<number[]>,
): Promise<Leaf> {
  return ['id', 'not in', await search([...bound, toPath(path, condition as unknown[])])]
}

/** Returns `any` with one condition as a path: a record with several links is found if one of them meets the condition. */
function toPath(path: string, [inner]: unknown[]): Leaf {
  const [field, operator, value] = inner as Leaf
  const whole = `${path}.${field}`
  return operator === 'any' ? toPath(whole, value as unknown[]) : [whole, operator, value]
}
