/** Files with records or callers of a service: new ones are for the user who runs it, those that are there stay as they are. */
import { closeSync, openSync } from 'node:fs'

/** Read and written by their owner alone. The umask may take more away. */
export const ownerOnly = 0o600

/** Makes an empty file if there is none. What cannot be made is left to the one who opens it, and says why. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'ax', ownerOnly))
  } catch {
    // It is there, or the folder takes no file.
  }
}
