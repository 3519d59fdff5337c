import { join } from 'node:path'
import { openAccountingSystem } from './accounting/accounting-system.ts'
import { openInventorySystem } from './inventory/inventory-system.ts'
import { ACCOUNT_NAME_RULE, isAccountName } from './is-account-name.ts'
import { openPricingSystem } from './pricing/pricing-system.ts'
import type { SandboxSystem } from './protocol/upstream-protocol.ts'
import { type DocumentSeed, type DocumentStore, openDocumentStore } from './storage/document-store.ts'
import type { SystemAccount } from './system-account.ts'

export interface AccountRegistryOptions {
  system: SandboxSystem
  directory: string
  accounts: readonly string[]
  /** The base URL of published pictures. */
  address: () => string
  now: () => Date
}

/** Returns `undefined` when the account does not exist. */
export type AccountLookup = (account: string) => SystemAccount<SandboxSystem> | undefined

export interface AccountRegistry {
  /** Reads an account into memory on first use. */
  find: AccountLookup
  close(): void
}

const openers = { inventory: openInventorySystem, pricing: openPricingSystem, accounting: openAccountingSystem }

/** Opens one system's file for every account. Fills new files from the fixtures. */
export async function openAccountRegistry({
  system,
  directory,
  accounts,
  address,
  now,
}: AccountRegistryOptions): Promise<AccountRegistry> {
  const fileOf = (account: string) => join(directory, account, `${system}.db`)
  const stores = new Map<string, DocumentStore>()
  const loaded = new Map<string, SystemAccount<SandboxSystem>>()
  // The same for all accounts, and made only for a new one.
  let seed: Promise<DocumentSeed> | undefined
  const loadSeed = () => {
    seed ??= seedOf(system, now())
    return seed
  }
  for (const account of accounts) {
    if (!isAccountName(account)) throw new Error(`account "${account}" of the sandbox: ${ACCOUNT_NAME_RULE}`)
    stores.set(account, await openDocumentStore(fileOf(account), loadSeed))
  }
  return {
    find(account) {
      const store = stores.get(account)
      if (loaded.has(account) || !store) return loaded.get(account)
      try {
        loaded.set(account, openers[system](store, now, address) as SystemAccount<SandboxSystem>)
      } catch (cause) {
        throw new Error(`The sandbox cannot read the ${system} data of account ${account} from ${fileOf(account)}`, {
          cause,
        })
      }
      return loaded.get(account)
    },
    close() {
      for (const store of stores.values()) store.close()
    },
  }
}

// Imported on demand: a start with existing state does not load the fixtures.
async function seedOf(system: SandboxSystem, now: Date): Promise<DocumentSeed> {
  if (system === 'inventory') return (await import('./inventory/inventory-seed.ts')).inventorySeed(now)
  if (system === 'pricing') return (await import('./pricing/pricing-seed.ts')).pricingSeed(now)
  return (await import('./accounting/accounting-seed.ts')).accountingSeed(now)
}
