/** Private files: new files with data of a service are readable by its own user only. Existing files keep their permissions. */
import { closeSync, openSync } from 'node:fs'

/** Readable and writable by the owner only. */
export const ownerOnly = 0o600

/** Creates an empty file if there is none. It ignores errors, because opening the file will report them. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', ownerOnly))
  } catch {
    // The file exists, or cannot be created.
  }
}
