import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { UsageError } from '../usage-error.ts'

/** Runs a command of systemd, which prints its own errors. */
function run(command: string, ...args: string[]): void {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  } catch (error) {
    const { code, status } = error as NodeJS.ErrnoException & { status?: number }
    throw new UsageError(
      `\`${[command, ...args].join(' ')}\` failed (${code === 'ENOENT' ? 'not found' : (status ?? code)})`,
    )
  }
}

/** Returns whether systemd runs this machine. In a chroot or a container it usually does not. */
export const isSystemdRunning = (): boolean => existsSync('/run/systemd/system')

/** Creates the account and the folders, and lets the service start with the machine. */
export function enableService(): void {
  run('systemd-sysusers', '/etc/sysusers.d/forecourt.conf')
  run('systemd-tmpfiles', '--create', '/etc/tmpfiles.d/forecourt.conf')
  if (isSystemdRunning()) run('systemctl', 'daemon-reload')
  run('systemctl', 'enable', 'forecourt.service')
}

/** Stops all processes of the service, and no longer starts it with the machine. */
export function disableService(): void {
  if (isSystemdRunning()) run('systemctl', 'stop', 'forecourt.service', 'forecourt@*.service')
  run('systemctl', 'disable', 'forecourt.service', 'forecourt@.service')
}

/** Makes systemd forget removed units. */
export function forgetService(): void {
  if (isSystemdRunning()) run('systemctl', 'daemon-reload')
}
