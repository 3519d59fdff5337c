import { type Command, InvalidArgumentError } from 'commander'
import { forecourtCommand } from '../installed-command-line.ts'
import { DEFAULT_CONFIG_FILE } from './default-config-file.ts'
import { DEFAULT_SANDBOX_PORT } from './sandbox-ports.ts'

const LAST_PORT = 65_535
/** The control of a system listens 100 above its port, and there are three systems. */
const LAST_SANDBOX_PORT = 65_432

const createPortParser = (lastPort: number) => (text: string) => {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1 && port <= lastPort) return port
  throw new InvalidArgumentError(`Give a port from 1 to ${lastPort}.`)
}

export const parsePortArgument = createPortParser(LAST_PORT)

export const addSandboxPortOption = (command: Command): Command =>
  command.option(
    '--sandbox-port <port>',
    `the first of the three ports of the embedded inventory, pricing and accounting; their control ports are 100 higher (default: ${DEFAULT_SANDBOX_PORT})`,
    createPortParser(LAST_SANDBOX_PORT),
  )

/** The options of the commands that serve a configuration file. */
export const addEmbeddedSandboxOption = (command: Command): Command =>
  addSandboxPortOption(command)
    .option('--embedded-sandbox', 'run the embedded back office for sandbox keys, even if a merchant is live')
    .option('--no-embedded-sandbox', 'refuse sandbox keys of merchants without sandbox systems')

export const addConfigOption = (command: Command): Command =>
  command.option(
    '-c, --config <file>',
    `the configuration file (default: ${DEFAULT_CONFIG_FILE} if it exists, else the demo)`,
  )

export const addJsonOption = (command: Command): Command => command.option('--json', 'print JSON')

/** The options of every command that works on a store. */
export const addStoreOptions = (command: Command): Command => addJsonOption(addConfigOption(command))

export const addTimeZoneOption = (command: Command): Command =>
  command.option('--time-zone <zone>', 'the time zone of all times (default: that of the merchant)')

/** Shows example command lines at the end of the help. */
export const addExample = (command: Command, ...lines: string[]): Command =>
  command.addHelpText(
    'after',
    `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.map((line) => `  ${forecourtCommand} ${line}`).join('\n')}`,
  )
