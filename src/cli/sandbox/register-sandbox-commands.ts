import type { Command } from 'commander'
import { failForUnknownWord } from '../fail-for-unknown-word.ts'
import { createLazyAction } from '../lazy-action.ts'
import { addExample, addJsonOption, addSandboxPortOption } from '../shared-options.ts'
import type { ControlTargetOptions } from './control-target.ts'

const sandboxCommand = () => import('./sandbox-command.ts')
const protocolCommand = () => import('./sandbox-protocol-command.ts')
const outcomesCommand = () => import('./sandbox-outcomes-command.ts')
const faultCommand = () => import('./fault-command.ts')
const productCommands = () => import('./product-commands.ts')
const invoiceCommands = () => import('./invoice-commands.ts')
const orderCommands = () => import('./order-commands.ts')

const ORDER = 'the id in accounting (SO-…), the id from checkout (ord_…), or last'
const INVOICE = 'the id in accounting (IN-…), or last'

/** Declares `forecourt sandbox …`. */
export function registerSandboxCommands(program: Command): void {
  const sandbox = addSandboxPortOption(program.command('sandbox'))
    .description('run the embedded back office alone: three systems, each on its own port')
    .option('--only <systems>', 'start only some of inventory,pricing,accounting')
    .option('--merchants <ids>', 'the merchants that the back office has data for (default: demo,demo-live)')
    // An argument can only be a misspelled command, whose options are not known here.
    .argument('[command...]')
    .allowUnknownOption()
    .usage('[options] [command]')
    .action(async ([unknown], options, command) => {
      if (unknown !== undefined) failForUnknownWord(command, unknown)
      await (await sandboxCommand()).runSandbox(options)
    })
  addExample(sandbox, 'sandbox --only pricing')

  sandbox
    .command('protocol')
    .description('print the OpenAPI document of the REST protocol, which the adapter rest uses')
    .action(createLazyAction(protocolCommand, 'runSandboxProtocol'))
  addJsonOption(sandbox.command('outcomes'))
    .description('list which shopper, SKU, promotion code or order produces each outcome')
    .action(createLazyAction(outcomesCommand, 'runSandboxOutcomes'))

  registerFaultCommand(sandbox)
  registerOrderCommands(sandbox)
  registerInvoiceCommands(sandbox)
  registerProductCommands(sandbox)
}

function registerFaultCommand(sandbox: Command): void {
  const fault = addSandboxPortOption(sandbox.command('fault <system>'))
    .description('make a running embedded system fail until --clear')
    .option('--delay <ms>', 'delay every response')
    .option('--hang', 'never respond')
    .option('--error-rate <share>', 'respond with 500 to this share of the calls, 0 to 1')
    .option('--status <code>', 'respond to every call with this 5xx status')
    .option('--garbage', 'respond with bytes that do not follow the protocol')
    .option('--refuse', 'refuse connections')
    .option('--drop-after <share>', 'process this share of the calls, 0 to 1, then close the connection')
    .option('--late <ms>', 'process the call, then delay the response')
    .option('--late-rate <share>', 'apply --late to this share of the calls, 0 to 1 (default: 1)')
    .option('--only-calls <operations>', 'apply the fault only to these operations, such as placeOrder')
    .option('--clear', 'remove the fault')
    .action(async (system, options, command) =>
      (await faultCommand()).runSandboxFault(system, { ...command.parent.opts(), ...options }),
    )
  addExample(
    fault,
    'sandbox fault pricing --hang',
    'sandbox fault accounting --only-calls placeOrder --drop-after 0.5',
    'sandbox fault pricing --clear',
  )
}

function registerOrderCommands(sandbox: Command): void {
  const orders = addJsonOption(addChangeCommand(sandbox, 'orders', 'list the newest 20 orders'))
  orders.action(async (_, command) => (await orderCommands()).runSandboxOrders(mergedOptions(command)))

  const ship = addChangeCommand(sandbox, 'ship', 'ship all open lines of an order, or part of one')
    .argument('<order>', ORDER)
    .option('--sku <sku>', 'ship only this SKU')
    .option('--quantity <n>', 'ship only this quantity of the SKU (default: all that is open)')
    .action(withOneArgument(createLazyAction(orderCommands, 'runSandboxShip')))
  addExample(ship, 'sandbox ship last', 'sandbox ship SO-100106 --sku BP-1001 --quantity 1')

  addChangeCommand(sandbox, 'deliver', 'mark a shipped order as delivered')
    .argument('<order>', ORDER)
    .action(withOneArgument(createLazyAction(orderCommands, 'runSandboxDeliver')))
  addChangeCommand(sandbox, 'cancel', 'cancel an order that has not been shipped')
    .argument('<order>', ORDER)
    .action(withOneArgument(createLazyAction(orderCommands, 'runSandboxCancel')))
  addChangeCommand(sandbox, 'reject', 'reject a PENDING order')
    .argument('<order>', ORDER)
    .action(withOneArgument(createLazyAction(orderCommands, 'runSandboxReject')))
}

function registerInvoiceCommands(sandbox: Command): void {
  addChangeCommand(sandbox, 'invoice', 'issue an invoice for a whole order, even if an earlier one was voided')
    .argument('<order>', ORDER)
    .action(withOneArgument(createLazyAction(invoiceCommands, 'runSandboxInvoice')))
  const settle = addChangeCommand(sandbox, 'settle', 'pay an invoice')
    .argument('<invoice>', INVOICE)
    .option('--amount <amount>', 'pay only this amount (default: the balance)')
    .action(withOneArgument(createLazyAction(invoiceCommands, 'runSandboxSettle')))
  addExample(settle, 'sandbox settle last --amount 1500.00')
  addChangeCommand(sandbox, 'void', 'void an invoice without payments')
    .argument('<invoice>', INVOICE)
    .action(withOneArgument(createLazyAction(invoiceCommands, 'runSandboxVoid')))
}

function registerProductCommands(sandbox: Command): void {
  const stock = addChangeCommand(
    sandbox,
    'stock <sku> <quantity>',
    'set the available quantity of a SKU, in its base unit; may be negative, as in an ERP that has oversold',
  ).action(withTwoArguments(createLazyAction(productCommands, 'runSandboxStock')))
  addExample(stock, 'sandbox stock BP-1001 0')
  const price = addChangeCommand(sandbox, 'price <sku> <amount>', 'set the list price of a SKU, per base unit').action(
    withTwoArguments(createLazyAction(productCommands, 'runSandboxPrice')),
  )
  addExample(price, 'sandbox price BP-1001 1500.00')
  addChangeCommand(sandbox, 'withdraw <sku>', 'remove a product from the catalog').action(
    withOneArgument(createLazyAction(productCommands, 'runSandboxWithdraw')),
  )
  addChangeCommand(sandbox, 'restore <sku>', 'put a withdrawn product back into the catalog').action(
    withOneArgument(createLazyAction(productCommands, 'runSandboxRestore')),
  )
}

/** Adds a command that works on a running embedded back office, whose change causes an event. */
const addChangeCommand = (sandbox: Command, usage: string, description: string): Command =>
  addSandboxPortOption(sandbox.command(usage))
    .description(description)
    .option('--merchant <id>', 'the merchant whose sandbox it is', 'demo')

const withOneArgument =
  <Options extends ControlTargetOptions>(run: (name: string, options: Options) => Promise<void>) =>
  (name: string, _: unknown, command: Command) =>
    run(name, mergedOptions(command))

const withTwoArguments =
  (run: (name: string, value: string, options: ControlTargetOptions) => Promise<void>) =>
  (name: string, value: string, _: unknown, command: Command) =>
    run(name, value, mergedOptions(command))

/** Returns a command's options with those of `sandbox`, which may precede the command's name. */
const mergedOptions = <Options extends ControlTargetOptions>(command: Command): Options => ({
  ...command.parent?.opts<Options>(),
  ...command.opts<Options>(),
})
