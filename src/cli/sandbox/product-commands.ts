import {
  readListPrice,
  readStoredProduct,
  restoreProduct,
  setPrice,
  setStock,
  withdrawProduct,
} from '../../sandbox/control/control-client.ts'
import { print } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import {
  type ControlTarget,
  type ControlTargetOptions,
  isControlNotFound,
  withControlTarget,
} from './control-target.ts'

/** Sets what is free of a SKU; what is on its way stays. */
export async function runSandboxStock(sku: string, quantity: string, options: ControlTargetOptions): Promise<void> {
  const available = Number(quantity)
  if (!/^-?\d{1,12}(\.\d{1,6})?$/.test(quantity))
    throw new UsageError(`The quantity is a number such as 12, not "${quantity}"`)
  await withControlTarget('inventory', options, async (target) => {
    await ofProduct(sku, target)
    await setStock(target.control, target.account, sku, { available })
  })
  print(`${sku} has ${available} available. Event: stock.changed, if that is another band than before`)
}

/** Sets the list price of a SKU, without quantity breaks. */
export async function runSandboxPrice(sku: string, amount: string, options: ControlTargetOptions): Promise<void> {
  if (!/^\d{1,15}(\.\d{1,6})?$/.test(amount))
    throw new UsageError(`The amount is a decimal number such as 1500.00, not "${amount}"`)
  const before = await withControlTarget('pricing', options, ({ control, account }) =>
    readListPrice(control, account, sku).catch((error) => {
      if (isControlNotFound(error)) return null
      throw error
    }),
  )
  // Pricing alone does not know what a product without a price is sold by.
  const uom = before ? undefined : await baseUnit(sku, options)
  await withControlTarget('pricing', options, ({ control, account }) => setPrice(control, account, sku, amount, uom))
  const was = before ? `before ${before.amount}` : 'before it had no price'
  print(`${sku} costs ${amount}, ${was}, without quantity breaks. Event: product.updated`)
}

const baseUnit = (sku: string, options: ControlTargetOptions) =>
  withControlTarget('inventory', options, async (target) => (await ofProduct(sku, target)).uom)

export async function runSandboxWithdraw(sku: string, options: ControlTargetOptions): Promise<void> {
  await withControlTarget('inventory', options, async (target) => {
    if (!(await ofProduct(sku, target)).active)
      throw new UsageError(
        `${sku} is withdrawn already. Restore it: npx forecourt sandbox restore ${sku}${target.options}`,
      )
    await withdrawProduct(target.control, target.account, sku)
  })
  print(`${sku} is withdrawn from the catalog. Event: product.deactivated`)
}

export async function runSandboxRestore(sku: string, options: ControlTargetOptions): Promise<void> {
  await withControlTarget('inventory', options, async (target) => {
    if ((await ofProduct(sku, target)).active) throw new UsageError(`${sku} is in the catalog already`)
    await restoreProduct(target.control, target.account, sku)
  })
  print(`${sku} is in the catalog again. Event: product.updated`)
}

const ofProduct = (sku: string, target: ControlTarget) =>
  readStoredProduct(target.control, target.account, sku).catch((error) => {
    throw named(error, sku, target)
  })

/** Of a SKU that is not there the control says less than a person needs. */
function named(error: unknown, sku: string, { account, port }: ControlTarget): unknown {
  if (!isControlNotFound(error)) return error
  return new UsageError(
    `There is no product of SKU "${sku}" in the sandbox of ${account}. Some SKUs: npx forecourt sandbox${port} outcomes`,
  )
}
