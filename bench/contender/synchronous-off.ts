/** Preloaded by `node --import`: the same service, were it not to wait for the disk. Shows what durability costs. */
import { DatabaseSync } from 'node:sqlite'

const { exec } = DatabaseSync.prototype

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  exec.call(this, sql.replace(/synchronous\s*=\s*full/i, 'synchronous = off'))
}
