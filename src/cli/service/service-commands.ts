import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { launcherPath, quoteForShell } from '../../installed-command-line.ts'
import { DEFAULT_CONFIG_FILE } from '../default-config-file.ts'
import { print } from '../print.ts'
import { UsageError } from '../usage-error.ts'
import { removeServiceFiles, writeServiceFiles } from './service-files.ts'
import { SERVICE_ACCOUNT, serviceFolders } from './service-layout.ts'
import { disableService, enableService, forgetService, isSystemdRunning } from './systemd.ts'

export interface ServiceCommandOptions {
  root?: string
}

/** Folders that the unit hides from the service. */
const HIDDEN = /^\/(?:home|root|run\/user|tmp|var\/tmp)\//

/** Installs the systemd units, the account, the folders and the log rotation. With a root, it only writes the files below it. */
export function runServiceInstall({ root }: ServiceCommandOptions): void {
  const program = { node: process.execPath, launcher: launcherPath }
  if (root === undefined) {
    requireAdministrator()
    for (const path of Object.values(program)) requireVisible(path)
  }
  for (const path of writeServiceFiles(root ?? '/', program)) print(`Wrote ${path}`)
  if (root !== undefined) return
  enableService()
  printFirstSteps(Object.values(program).map(quoteForShell).join(' '))
}

/** Stops and removes what `runServiceInstall` installed. Configuration, data, log and account stay. */
export function runServiceRemove({ root }: ServiceCommandOptions): void {
  if (root === undefined) {
    requireAdministrator()
    if (existsSync('/etc/systemd/system/forecourt.service')) disableService()
  }
  const removed = removeServiceFiles(root ?? '/')
  for (const path of removed) print(`Removed ${path}`)
  if (removed.length === 0) print('There was nothing to remove.')
  if (root !== undefined || removed.length === 0) return
  forgetService()
  const { cache, ...kept } = serviceFolders
  print(`Kept: ${Object.values(kept).join(', ')}. To delete them, with all orders and keys:`)
  print(`  rm -r ${Object.values(serviceFolders).join(' ')} && userdel ${SERVICE_ACCOUNT}`)
}

function requireAdministrator(): void {
  if (process.getuid?.() !== 0)
    throw new UsageError(
      'This needs root: run it with sudo. To look at the files first, write them elsewhere: --root <folder>',
    )
}

function requireVisible(path: string): void {
  if (HIDDEN.test(path))
    throw new UsageError(
      `The service cannot read ${path}, because home folders and /tmp are hidden from it. Install Node in /usr/local and Forecourt in /opt/forecourt, for example`,
    )
}

function printFirstSteps(forecourt: string): void {
  const file = join(serviceFolders.configuration, DEFAULT_CONFIG_FILE)
  print()
  print('Next:')
  if (!existsSync(file))
    print(`  runuser -u ${SERVICE_ACCOUNT} -- ${forecourt} init --config ${file} --data ${serviceFolders.state}`)
  print(isSystemdRunning() ? '  systemctl restart forecourt' : '  systemctl start forecourt, when systemd runs')
}
