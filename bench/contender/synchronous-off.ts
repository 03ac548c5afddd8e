/** Preloaded by `node --import`: the same service without disk syncs, to show the cost of durability. */
import { DatabaseSync } from 'node:sqlite'

const { exec } = DatabaseSync.prototype

DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  exec.call(this, sql.replace(/synchronous\s*=\s*full/i, 'synchronous = off'))
}
