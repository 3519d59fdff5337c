import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs'

/**
 * Makes every read and write of a SQLite store of this process fail, as on a disk that died: its descriptors are replaced by those of a
 * folder. Returns a function that undoes it.
 */
export function killDiskOf(file: string): () => void {
  const paths = new Set([file, `${file}-wal`])
  const dead = openDescriptors().filter(({ path }) => paths.has(path))
  for (const { fd } of dead) replaceDescriptor(fd, '/proc', 'r')
  return () => {
    for (const { fd, path } of dead) replaceDescriptor(fd, path, 'r+')
  }
}

function openDescriptors(): { fd: number; path: string }[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [{ fd: Number(fd), path: readlinkSync(`/proc/self/fd/${fd}`) }]
    } catch {
      // That of the listing itself.
      return []
    }
  })
}

/** Node has no dup2: a new descriptor has the lowest free number. */
function replaceDescriptor(fd: number, path: string, flags: string): void {
  closeSync(fd)
  const others: number[] = []
  for (let opened = openSync(path, flags); opened !== fd; opened = openSync(path, flags)) others.push(opened)
  for (const other of others) closeSync(other)
}
